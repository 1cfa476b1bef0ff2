import type { ExhaustedJob, JobRun } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { storableText } from '../../kernel/storable-text.ts'
import { type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import { type Outcome, type Process, type Received, Unprocessable } from '../processing.ts'
import type { Cause } from './causes.ts'
import type { Confirm } from './confirmation.ts'
import type { CountDelivery } from './delivery.metrics.ts'
import { closeTry, findWaiting, type RunOf, type Waiting } from './delivery.store.ts'
import type { ProcessingData } from './processing.job.ts'

export type ProcessingDeps = {
  clock: Clock
  schemes: Schemes
  process: Process
  confirm: Confirm
  count: CountDelivery
}

type Try = { attempt: number; isLastAttempt: boolean }

/** Another run of the delivery was faster: what this try did is undone with it. */
class Overtaken extends Error {}

export type Processing = ReturnType<typeof processingService>

/** What a stored delivery leads to. The effects, the outcome and the status are one transaction: all of it happens or nothing. */
export function processingService({ clock, schemes, process, confirm, count }: ProcessingDeps) {
  /** Throws where another try may help and there is one. */
  async function handle(scope: TenantScope, named: RunOf, { attempt, isLastAttempt }: Try): Promise<void> {
    const delivery = await findWaiting(scope, named)
    if (delivery === null) return
    try {
      const outcome =
        delivery.kind === 'confirmation'
          ? await confirmed(scope, delivery, attempt)
          : await effected(scope, delivery, attempt)
      count(delivery.scheme, outcome.kind)
    } catch (error) {
      if (error instanceof Overtaken) return
      const isDead = error instanceof Unprocessable || isLastAttempt
      await failed(scope, delivery, { attempt, isDead, error })
      count(delivery.scheme, isDead ? 'dead' : 'retried')
      // A job that ends well holds its key no longer: what is dead must not stop what comes after it.
      if (!isDead) throw error
    }
  }

  function effected(scope: TenantScope, delivery: Waiting, attempt: number): Promise<Outcome> {
    return transaction(scope, async (tx) => {
      const outcome = await process(tx, receivedOf(delivery, attempt))
      await close(tx, delivery, { attempt, outcome })
      return outcome
    })
  }

  async function confirmed(scope: TenantScope, delivery: Waiting, attempt: number): Promise<Outcome> {
    const { contentType, headers, body } = delivery
    const facts = schemes[delivery.scheme]?.read({ body, contentType, headers, query: {} })
    if (facts?.kind !== 'confirmation') throw new Unprocessable('It names no address to confirm at.')
    await confirm(facts.url)
    const outcome: Outcome = { kind: 'processed', effects: [] }
    await close(scope, delivery, { attempt, outcome })
    return outcome
  }

  async function close(
    tx: TenantScope,
    { id, run }: RunOf,
    { attempt, outcome }: { attempt: number; outcome: Outcome },
  ): Promise<void> {
    const detail = outcome.kind === 'ignored' ? storableText(outcome.reason, 500) : null
    const entry = { at: clock.now().toISOString(), event: outcome.kind, detail: `Try ${attempt}.` }
    const isOurs = await closeTry(tx, {
      ...{ id, run, status: outcome.kind, attempts: attempt, cause: null, detail, outcome, entry },
    })
    if (!isOurs) throw new Overtaken()
  }

  async function failed(
    scope: TenantScope,
    { id, run }: RunOf,
    { attempt, isDead, error }: { attempt: number; isDead: boolean; error: unknown },
  ): Promise<void> {
    const status = isDead ? 'dead' : 'retrying'
    const cause: Cause = error instanceof Unprocessable ? 'UNPROCESSABLE' : 'FAILED'
    const detail = storableText(error instanceof Error ? error.message : String(error), 500)
    const entry = { at: clock.now().toISOString(), event: status, detail: `Try ${attempt}: ${detail}` }
    await closeTry(scope, { id, run, status, attempts: attempt, cause, detail, outcome: null, entry })
  }

  return {
    handle,
    job: ({ data, scope, attempt, isLastAttempt }: JobRun<ProcessingData>): Promise<void> =>
      handle(ofTenant(scope), { id: data.deliveryId, run: data.run }, { attempt, isLastAttempt }),
    /** Its process was killed at the last try, or it took too long: nobody else would say so, and it could not be replayed. */
    onExhausted: ({ data, scope, attempt, reason }: ExhaustedJob<ProcessingData>): Promise<void> => {
      const ending = { attempt, isDead: true, error: new Error(reason) }
      return failed(ofTenant(scope), { id: data.deliveryId, run: data.run }, ending)
    },
  }
}

function ofTenant(scope: Scope): TenantScope {
  if (scope.kind !== 'tenant') throw new Error('A delivery is processed for its tenant.')
  return scope
}

function receivedOf(delivery: Waiting, attempt: number): Received {
  const { id, connectionId, settings, scheme, occurredAt, receivedAt, body, headers, contentType } = delivery
  return {
    ...{ id, connectionId, settings, scheme, occurredAt, receivedAt, body, attempt },
    channel: delivery.channel,
    eventType: delivery.eventType ?? '',
    entityKey: delivery.entityKey ?? '',
    // A form cannot be read without its boundary, which is a parameter.
    contentType: contentType.startsWith('multipart/') ? (headers['content-type'] ?? contentType) : contentType,
  }
}
