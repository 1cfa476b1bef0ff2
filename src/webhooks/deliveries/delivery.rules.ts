import type { JobKind } from '../../jobs/jobs.ts'
import type { Result } from './retry.rules.ts'

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type Attempt = {
  number: number
  startedAt: string
  durationMs: number
  result: Result
  statusCode: number | null
  answer: string | null
}

/** One event on its way to one endpoint. */
export type Delivery = {
  messageId: string
  eventType: string
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: Date | null
  createdAt: Date
  /** The last ones, newest first. */
  tries: Attempt[]
}

/** A try, by its number: one that was made already is not made again. `looks`: how often it was put off so far. */
export type Due = { endpointId: string; messageId: string; attempt: number; looks?: number }

/**
 * One job a try: when the next one comes is the schedule's to say. The queue's own tries are for when we fail, not the
 * receiver. Waiting costs little, so there are many places: endpoints that hang must not use them up.
 */
export const deliver: JobKind<Due> = {
  name: 'webhooks.message.deliver',
  attemptsMax: 6,
  backoffSeconds: 15,
  timeoutSeconds: 45,
  concurrency: { node: 100, tenant: 10 },
}
