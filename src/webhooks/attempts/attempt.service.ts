import type { Audit } from '../../identity/index.ts'
import type { JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type DueAttempt, deliveryJob } from '../delivery-job.ts'
import { consumeRateLimit, disableEndpoint, recordFailure } from '../endpoint.store.ts'
import type { SigningSecrets } from '../endpoint-secrets.ts'
import type { Publish } from '../events/publish.ts'
import { signedHeaders } from '../signature.rules.ts'
import { type AttemptLimiter, attemptLimiter } from './attempt-limiter.ts'
import {
  type ClaimedAttempt,
  claimAttempt,
  clearClaim,
  type FinishedAttempt,
  isAttemptPending,
  lockDelivery,
  recordAttempt,
  recordSuccess,
  releaseAttempt,
} from './delivery.store.ts'
import { deferralMs, disableReason, nextAttemptTime, type Outcome, pausedUntil } from './retry.rules.ts'
import type { Send } from './send.ts'

export type AttemptDeps = {
  clock: Clock
  jobs: Jobs
  audit: Audit
  secrets: SigningSecrets
  publish: Publish
  events: EventBus
  send: Send
  random: () => number
  onAttempt(outcome: Outcome): void
}

/** Longer than an attempt may take: an older claim belongs to a process that died. */
const claimDurationMs = 60_000
const minuteMs = 60_000

/** Makes one attempt of a delivery. The request is sent outside of any transaction; the result is written in one. */
export function attemptService(deps: AttemptDeps) {
  const { clock, jobs, secrets, send, random, onAttempt } = deps
  const limiter: AttemptLimiter = attemptLimiter()

  const postpone = (scope: TenantScope, due: DueAttempt, at: Date): Promise<void> =>
    transaction(scope, async (tx) => {
      await releaseAttempt(tx, due, at)
      const data = { ...due, looks: (due.looks ?? 0) + 1 }
      await jobs.enqueue(tx, deliveryJob, { data, tenantId: tx.tenantId, runAt: at })
    })

  /** When a claimed attempt may be made if not now. Random, so that deliveries that waited together do not run together. */
  const deferredUntil = async (
    scope: TenantScope,
    { endpointId, looks = 0 }: DueAttempt,
    claimed: ClaimedAttempt,
    now: Date,
  ): Promise<Date | null> => {
    const { pausedUntil: until, ratePerMinute } = claimed
    if (until !== null && until > now) return new Date(until.getTime() + Math.round(random() * minuteMs))
    if (ratePerMinute === null) return null
    const minute = Math.floor(now.getTime() / minuteMs) * minuteMs
    if (await consumeRateLimit(scope, { id: endpointId, minute: new Date(minute) })) return null
    return new Date(minute + minuteMs + deferralMs('RATE', looks, random()))
  }

  /** Returns whether the message was delivered. */
  const attempt = async (
    scope: TenantScope,
    due: DueAttempt,
    claimed: ClaimedAttempt,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const now = clock.now()
    const later = await deferredUntil(scope, due, claimed, now)
    if (later !== null) {
      await postpone(scope, due, later)
      return false
    }
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
    await recordOutcome(deps, scope, { due, url: claimed.url, outcome, startedAt: now, durationMs })
    return outcome.result === 'DELIVERED'
  }

  return async ({ scope, data: due, signal }: JobRun<DueAttempt>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A delivery belongs to a tenant.')
    const now = clock.now()
    const claimedUntil = new Date(now.getTime() + claimDurationMs)
    const claimed = await claimAttempt(scope, due, { now, claimedUntil })
    if (claimed === null) return throwIfRunning(scope, due)
    if (claimed.endpointStatus === 'DISABLED' || !claimed.isTenantActive) return releaseAttempt(scope, due, null)
    const place = `${scope.tenantId} ${due.endpointId}`
    const isHealthy = claimed.failingSince === null
    if (!(await limiter.start(place, isHealthy)))
      return postpone(scope, due, new Date(now.getTime() + deferralMs('BUSY', due.looks ?? 0, random())))
    let isDelivered = false
    try {
      isDelivered = await attempt(scope, due, claimed, signal)
    } catch (error) {
      // The service is stopping. Another node, or this one after its restart, can make the attempt at once.
      if (signal.aborted) await clearClaim(scope, due, claimedUntil)
      throw error
    } finally {
      limiter.end(place, isDelivered)
    }
  }
}

/** An attempt that seems to run may have died with its process. The job fails, so that the queue checks again later. */
async function throwIfRunning(scope: TenantScope, due: DueAttempt): Promise<void> {
  if (await isAttemptPending(scope, due)) throw new Error('Another node is making this attempt.')
}

type AttemptResult = Pick<FinishedAttempt, 'outcome' | 'startedAt' | 'durationMs'> & { due: DueAttempt; url: string }

async function recordOutcome(
  deps: AttemptDeps,
  scope: TenantScope,
  { due, url, ...made }: AttemptResult,
): Promise<void> {
  const { clock, jobs, random, events } = deps
  const { outcome } = made
  const now = clock.now()
  if (outcome.result === 'DELIVERED') {
    const isFirst = await recordSuccess(scope, due, { ...made, url })
    if (isFirst) await events.emit(scope, 'webhook.delivered', { tenantId: scope.tenantId })
    return
  }
  return transaction(scope, async (tx) => {
    const place = { id: due.endpointId, url }
    const held = await lockDelivery(tx, due)
    if (held === null) return
    // The endpoint has a new URL: a result from the old one does not count.
    const isMoved = held.url !== url
    const failures = isMoved ? 1 : held.failures + 1
    const isGone = outcome.statusCode === 410 && !isMoved
    const nextAttemptAt = isGone
      ? null
      : nextAttemptTime(failures, isMoved ? { pauseMs: null } : outcome, now, random())
    const status = nextAttemptAt === null ? 'FAILED' : 'PENDING'
    if (!(await recordAttempt(tx, due, { ...made, failures, status, nextAttemptAt }))) return
    if (nextAttemptAt !== null) {
      const { endpointId, messageId } = due
      const data = { endpointId, messageId, attempt: due.attempt + 1 }
      await jobs.enqueue(tx, deliveryJob, { data, tenantId: tx.tenantId, runAt: nextAttemptAt })
    }
    await updateEndpointHealth(deps, tx, { place, outcome, now })
  })
}

type Failure = { place: { id: string; url: string }; outcome: Outcome; now: Date }

/** Pauses or disables an endpoint after a failed attempt, if it still has the URL of the attempt. */
async function updateEndpointHealth({ audit, publish }: AttemptDeps, tx: TenantScope, failure: Failure): Promise<void> {
  const { place, outcome, now } = failure
  const { id } = place
  const since = await recordFailure(tx, { ...place, pausedUntil: pausedUntil(outcome, now), now })
  const reason = since && disableReason(outcome, since, now)
  if (reason === null || !(await disableEndpoint(tx, { id, reason, now }))) return
  await audit(tx, {
    action: 'webhook.endpoint.disabled',
    target: { type: 'webhookEndpoint', id },
    changes: { reason, failingSince: since },
  })
  const data = { endpointId: id, reason, path: `/v1/webhooks/endpoints/${id}` }
  await publish(tx, [{ type: 'webhook.endpoint.disabled', data, exceptEndpointId: id }])
}
