import type { JobKind } from '../jobs/jobs.ts'

/** One attempt, named by its number: an attempt that was made already is not made again. `looks` (a stored name): how often it was postponed. */
export type DueAttempt = { endpointId: string; messageId: string; attempt: number; looks?: number }

/**
 * One job for each attempt: our retry schedule decides when the next one runs. The queue's own retries are for our
 * failures, not the receiver's. Waiting costs little, so the concurrency is high: endpoints that hang must not use it up.
 */
export const deliveryJob: JobKind<DueAttempt> = {
  name: 'webhooks.message.deliver',
  attemptsMax: 6,
  backoffSeconds: 15,
  timeoutSeconds: 45,
  concurrency: { node: 100, tenant: 10 },
}
