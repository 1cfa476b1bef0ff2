import type { Refusal } from '../../kernel/refusal.ts'
import { rateLimitRefusal, type Verdict } from '../limits/rate-limit.ts'
import type { ServerDeps } from '../server-deps.ts'
import { type Admitted, type Authenticator, countedCaller, rateLimitBucket } from './callers.ts'

type CallerLimitDeps = Pick<ServerDeps, 'rateCounter' | 'rateLimits'> & {
  authenticator: Pick<Authenticator, 'nodeRequestsPerSecond' | 'runnerRequestsPerSecond'>
}

/** The rate limit of a verified caller: one bucket for each user, key at an address, administrator, node or address. */
export function callerLimit({ authenticator, rateCounter, rateLimits }: CallerLimitDeps) {
  const { requestsMax, windowSeconds } = rateLimits

  const requestsMaxOf = (admitted: Admitted): number => {
    if (admitted.kind === 'runner') return authenticator.runnerRequestsPerSecond * windowSeconds
    if (admitted.kind === 'node') return authenticator.nodeRequestsPerSecond * windowSeconds
    return ('tenant' in admitted ? admitted.tenant.requestsPerWindow : null) ?? requestsMax
  }

  return {
    /** Counts one request, or one frame of a WebSocket. */
    take: (admitted: Admitted, address: string, now: Date): Promise<Verdict> =>
      rateCounter.take(rateLimitBucket(admitted, address), requestsMaxOf(admitted), now),
    refusal: (verdict: Verdict, admitted: Admitted, now: Date) =>
      rateLimitRefusal(verdict, { counted: countedCaller(admitted), now }),
  }
}

/**
 * Counts wrong credentials by address. It bounds guesses, and nothing else: a good credential is admitted whatever others
 * at its address have sent. Nodes have a bucket of their own, of the size of a node's limit, so that a node whose token was
 * revoked hears so, whatever else its address sends.
 */
export function failureLimit({ authenticator, rateCounter, rateLimits }: CallerLimitDeps) {
  const { authFailuresMax, windowSeconds } = rateLimits

  return {
    take: (address: string, now: Date): Promise<Verdict> =>
      rateCounter.take(failureBucket(address), authFailuresMax, now),
    takeNode: (address: string, now: Date): Promise<Verdict> =>
      rateCounter.take(`node-failures:${address}`, authenticator.nodeRequestsPerSecond * windowSeconds, now),
    peek: (address: string, now: Date): Promise<Verdict> =>
      rateCounter.peek(failureBucket(address), authFailuresMax, now),
    refusal: failureRefusal,
  }
}

/** The bucket of wrong credentials from an address (`addressBucket`). */
export function failureBucket(address: string): string {
  return `failures:${address}`
}

export function failureRefusal(verdict: Verdict, now: Date): Refusal {
  return rateLimitRefusal(verdict, { counted: 'ADDRESS', what: 'wrong credentials', now })
}
