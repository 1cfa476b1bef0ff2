import type { Audit } from '../../identity/index.ts'
import type { JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { disableEndpoint, noteFailure, takeRate } from '../endpoints/endpoint.store.ts'
import type { SigningSecrets } from '../endpoints/endpoint-secrets.ts'
import type { Publish } from '../events/publish.ts'
import { type Due, deliver } from './delivery.rules.ts'
import {
  type Claimed,
  claimSend,
  dropClaim,
  type Ended,
  endDelivered,
  endTry,
  holdSend,
  isDue,
  releaseSend,
} from './delivery.store.ts'
import { type InFlight, inFlight } from './in-flight.ts'
import { disablingReason, nextTryAt, type Outcome, pausedUntil, putOffMs } from './retry.rules.ts'
import type { Send } from './send.ts'
import { signedHeaders } from './signature.rules.ts'

export type AttemptDeps = {
  clock: Clock
  jobs: Jobs
  audit: Audit
  secrets: SigningSecrets
  publish: Publish
  send: Send
  random: () => number
  onAttempt(outcome: Outcome): void
}

/** Longer than a try may take: a claim that is still there belongs to a process that died. */
const claimMs = 60_000
const minuteMs = 60_000

/** Makes one try of one delivery. The receiver is asked outside of any transaction; what came of it is written in one. */
export function attemptService(deps: AttemptDeps) {
  const { clock, jobs, secrets, send, random, onAttempt } = deps
  const flying: InFlight = inFlight()

  const postpone = (scope: TenantScope, due: Due, at: Date): Promise<void> =>
    transaction(scope, async (tx) => {
      await releaseSend(tx, due, at)
      const data = { ...due, looks: (due.looks ?? 0) + 1 }
      await jobs.enqueue(tx, deliver, { data, tenantId: tx.tenantId, runAt: at })
    })

  /** When a claimed try may be made if not now; spread, so that those that wait together do not come together. */
  const laterThan = async (
    scope: TenantScope,
    { endpointId, looks = 0 }: Due,
    claimed: Claimed,
    now: Date,
  ): Promise<Date | null> => {
    const { pausedUntil: until, ratePerMinute } = claimed
    if (until !== null && until > now) return new Date(until.getTime() + Math.round(random() * minuteMs))
    if (ratePerMinute === null) return null
    const minute = Math.floor(now.getTime() / minuteMs) * minuteMs
    if (await takeRate(scope, { id: endpointId, minute: new Date(minute) })) return null
    return new Date(minute + minuteMs + putOffMs('RATE', looks, random()))
  }

  const attempt = async (scope: TenantScope, due: Due, claimed: Claimed, signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    const later = await laterThan(scope, due, claimed, now)
    if (later !== null) return postpone(scope, due, later)
    const owner = { tenantId: scope.tenantId, id: due.endpointId }
    const sealed = [claimed.secretSealed, ...(claimed.previousSecretSealed ? [claimed.previousSecretSealed] : [])]
    const headers = signedHeaders(
      { id: due.messageId, at: now, body: claimed.body },
      sealed.map((secret) => secrets.open(secret, owner)),
    )
    const begun = performance.now()
    const outcome = await send({ url: claimed.url, headers, body: claimed.body, now, signal })
    onAttempt(outcome)
    const durationMs = Math.round(performance.now() - begun)
    await record(deps, scope, { due, url: claimed.url, outcome, startedAt: now, durationMs })
  }

  return async ({ scope, data: due, signal }: JobRun<Due>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A delivery belongs to a tenant.')
    const now = clock.now()
    const claimedUntil = new Date(now.getTime() + claimMs)
    const claimed = await claimSend(scope, due, { now, claimedUntil })
    if (claimed === null) return refuseRunning(scope, due)
    if (claimed.endpointStatus === 'DISABLED' || !claimed.isTenantThere) return releaseSend(scope, due, null)
    const place = `${scope.tenantId} ${due.endpointId}`
    const isHealthy = claimed.failingSince === null
    if (!flying.begin(place, isHealthy))
      return postpone(scope, due, new Date(now.getTime() + putOffMs('BUSY', due.looks ?? 0, random())))
    try {
      await attempt(scope, due, claimed, signal)
    } catch (error) {
      // The service stops, and what was cut off is for another node or the next start: at once.
      if (signal.aborted) await dropClaim(scope, due, claimedUntil)
      throw error
    } finally {
      flying.end(place)
    }
  }
}

/** Another try that seems to run may have died with its process: only a later look tells. */
async function refuseRunning(scope: TenantScope, due: Due): Promise<void> {
  if (await isDue(scope, due)) throw new Error('Another node is at this delivery.')
}

type Made = Pick<Ended, 'outcome' | 'startedAt' | 'durationMs'> & { due: Due; url: string }

function record(deps: AttemptDeps, scope: TenantScope, { due, url, ...made }: Made): Promise<void> {
  const { clock, jobs, random } = deps
  const { outcome } = made
  const now = clock.now()
  if (outcome.result === 'DELIVERED') return endDelivered(scope, due, { ...made, url })
  return transaction(scope, async (tx) => {
    const place = { id: due.endpointId, url }
    const held = await holdSend(tx, due)
    if (held === null) return
    // What an address says that is no longer the endpoint's counts for nothing at the new one.
    const isMoved = held.url !== url
    const failures = isMoved ? 1 : held.failures + 1
    const isGone = outcome.statusCode === 410 && !isMoved
    const nextAttemptAt = isGone ? null : nextTryAt(failures, isMoved ? { pauseMs: null } : outcome, now, random())
    const status = nextAttemptAt === null ? 'FAILED' : 'PENDING'
    if (!(await endTry(tx, due, { ...made, failures, status, nextAttemptAt }))) return
    if (nextAttemptAt !== null) {
      const { endpointId, messageId } = due
      const data = { endpointId, messageId, attempt: due.attempt + 1 }
      await jobs.enqueue(tx, deliver, { data, tenantId: tx.tenantId, runAt: nextAttemptAt })
    }
    await followFailure(deps, tx, { place, outcome, now })
  })
}

type Failure = { place: { id: string; url: string }; outcome: Outcome; now: Date }

/** What a failed try means for the endpoint, if it is still where it was tried: a pause, or its end. */
async function followFailure({ audit, publish }: AttemptDeps, tx: TenantScope, failure: Failure): Promise<void> {
  const { place, outcome, now } = failure
  const { id } = place
  const since = await noteFailure(tx, { ...place, pausedUntil: pausedUntil(outcome, now), now })
  const reason = since && disablingReason(outcome, since, now)
  if (reason === null || !(await disableEndpoint(tx, { id, reason, now }))) return
  await audit(tx, {
    action: 'webhook.endpoint.disabled',
    target: { type: 'webhookEndpoint', id },
    changes: { reason, failingSince: since },
  })
  const data = { endpointId: id, reason, path: `/v1/webhooks/endpoints/${id}` }
  await publish(tx, [{ type: 'webhook.endpoint.disabled', data, except: id }])
}
