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

/** One event for one endpoint. */
export type Delivery = {
  messageId: string
  eventType: string
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: Date | null
  createdAt: Date
  /** The last attempts, newest first. */
  tries: Attempt[]
}
