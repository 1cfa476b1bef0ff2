import type { ExhaustedJob, JobRun } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { storableText } from '../../kernel/storable-text.ts'
import { type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import { incomingDelivery } from '../incoming-delivery.ts'
import { type Outcome, type Process, type ReceivedDelivery, Unprocessable } from '../processing.ts'
import type { CountDelivery } from './delivery.metrics.ts'
import { type DeliveryRun, findPending, type PendingDelivery, recordAttempt } from './delivery.store.ts'
import type { ProcessingData } from './processing.job.ts'
import type { Cause } from './rejection-causes.ts'
import type { ConfirmSubscription } from './subscription-confirmation.ts'

export type ProcessingDeps = {
  clock: Clock
  schemes: Schemes
  process: Process
  confirm: ConfirmSubscription
  count: CountDelivery
}

type Attempt = { attempt: number; isLastAttempt: boolean }

/** Another run of the delivery was faster. Throwing this undoes what the attempt did. */
class Overtaken extends Error {}

export type Processing = ReturnType<typeof processingService>

/** Processes stored deliveries. Effects, outcome and status are one transaction: all of it happens or nothing. */
export function processingService({ clock, schemes, process, confirm, count }: ProcessingDeps) {
  /** Throws where another attempt may help and one is left. */
  async function handle(
    scope: TenantScope,
    deliveryRun: DeliveryRun,
    { attempt, isLastAttempt }: Attempt,
  ): Promise<void> {
    const delivery = await findPending(scope, deliveryRun)
    if (delivery === null) return
    try {
      const outcome =
        delivery.kind === 'confirmation'
          ? await confirmSubscription(scope, delivery, attempt)
          : await applyEffects(scope, delivery, attempt)
      count(delivery.scheme, outcome.kind)
    } catch (error) {
      if (error instanceof Overtaken) return
      const isDead = error instanceof Unprocessable || isLastAttempt
      await recordFailure(scope, delivery, { attempt, isDead, error })
      count(delivery.scheme, isDead ? 'dead' : 'retried')
      // A job that ends without an error frees its key: a dead delivery must not block those behind it.
      if (!isDead) throw error
    }
  }

  async function applyEffects(scope: TenantScope, delivery: PendingDelivery, attempt: number): Promise<Outcome> {
    const apply = await process(toReceivedDelivery(delivery, attempt))
    return transaction(scope, async (tx) => {
      const outcome = await apply(tx)
      await recordOutcome(tx, delivery, { attempt, outcome })
      return outcome
    })
  }

  async function confirmSubscription(scope: TenantScope, delivery: PendingDelivery, attempt: number): Promise<Outcome> {
    const { contentType, headers, body } = delivery
    const facts = await schemes[delivery.scheme]?.read(incomingDelivery({ body, contentType, headers, query: {} }), [])
    if (facts?.kind !== 'confirmation')
      throw new Unprocessable('The delivery contains no address that confirms the subscription.')
    await confirm(facts.url)
    const outcome: Outcome = { kind: 'processed', effects: [] }
    await recordOutcome(scope, delivery, { attempt, outcome })
    return outcome
  }

  async function recordOutcome(
    tx: TenantScope,
    { id, run }: DeliveryRun,
    { attempt, outcome }: { attempt: number; outcome: Outcome },
  ): Promise<void> {
    const detail = outcome.kind === 'ignored' ? storableText(outcome.reason, 500) : null
    const entry = { at: clock.now().toISOString(), event: outcome.kind, detail: `Attempt ${attempt}.` }
    const attempts = attempt
    const isCurrent = await recordAttempt(tx, {
      id,
      run,
      status: outcome.kind,
      attempts,
      cause: null,
      detail,
      outcome,
      entry,
    })
    if (!isCurrent) throw new Overtaken()
  }

  async function recordFailure(
    scope: TenantScope,
    { id, run }: DeliveryRun,
    { attempt, isDead, error }: { attempt: number; isDead: boolean; error: unknown },
  ): Promise<void> {
    const status = isDead ? 'dead' : 'retrying'
    const cause: Cause = error instanceof Unprocessable ? 'UNPROCESSABLE' : 'FAILED'
    const detail = storableText(error instanceof Error ? error.message : String(error), 500)
    const entry = { at: clock.now().toISOString(), event: status, detail: `Attempt ${attempt}: ${detail}` }
    await recordAttempt(scope, { id, run, status, attempts: attempt, cause, detail, outcome: null, entry })
  }

  return {
    handle,
    job: ({ data, scope, attempt, isLastAttempt }: JobRun<ProcessingData>): Promise<void> =>
      handle(tenantScope(scope), { id: data.deliveryId, run: data.run }, { attempt, isLastAttempt }),
    /** The last attempt was killed or took too long. Without this record the delivery could not be replayed. */
    onExhausted: ({ data, scope, attempt, reason }: ExhaustedJob<ProcessingData>): Promise<void> => {
      const failure = { attempt, isDead: true, error: new Error(reason) }
      return recordFailure(tenantScope(scope), { id: data.deliveryId, run: data.run }, failure)
    },
  }
}

function tenantScope(scope: Scope): TenantScope {
  if (scope.kind !== 'tenant') throw new Error('A delivery is processed in the scope of its tenant.')
  return scope
}

function toReceivedDelivery(delivery: PendingDelivery, attempt: number): ReceivedDelivery {
  const { headers, contentType } = delivery
  return {
    id: delivery.id,
    connectionId: delivery.connectionId,
    orgId: delivery.orgId,
    integrationId: delivery.integrationId,
    settings: delivery.settings,
    scheme: delivery.scheme,
    channel: delivery.channel,
    occurredAt: delivery.occurredAt,
    receivedAt: delivery.receivedAt,
    body: delivery.body,
    attempt,
    eventType: delivery.eventType ?? '',
    entityKey: delivery.entityKey ?? '',
    // A multipart form needs its boundary, which is a parameter of the type.
    contentType: contentType.startsWith('multipart/') ? (headers['content-type'] ?? contentType) : contentType,
  }
}
