import { createHash } from 'node:crypto'
import { storableText } from '../../kernel/storable-text.ts'
import type { Outcome } from '../processing.ts'
import type { Channel, RawDelivery, SchemeName } from '../scheme.ts'
import type { Cause } from './causes.ts'

/**
 * `received` waits for its turn, `retrying` for another try. `processed` and `ignored` are done, `dead` needs somebody to
 * look; all three may be replayed. `rejected`: nothing was taken.
 */
export const deliveryStatuses = ['received', 'processed', 'ignored', 'retrying', 'dead', 'rejected'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export const replayedStatuses = ['dead', 'ignored', 'processed'] as const
export type ReplayedStatus = (typeof replayedStatuses)[number]

export type Refused = { cause: Cause; detail: string }

export const kinds = ['event', 'confirmation', 'refusal'] as const
type Kind = (typeof kinds)[number]

export type TimelineEntry = { at: string; event: string; detail: string | null }

/** A delivery without its body. */
export type Delivery = {
  tenantId: string
  id: string
  connectionId: string
  scheme: SchemeName
  channel: Channel
  kind: Kind
  eventType: string | null
  entityKey: string | null
  occurredAt: Date | null
  receivedAt: Date
  status: DeliveryStatus
  run: number
  attempts: number
  cause: Cause | null
  detail: string | null
  headers: Record<string, string>
  contentType: string
  hasBody: boolean
  bodyBytes: number
  bodySha256: Buffer
  duplicates: number
  outcome: Outcome | null
  timeline: TimelineEntry[]
}

/** What is kept of a request's headers. No signature, no credential and no address of a person is among them. */
const keptHeaders = [
  'content-type',
  'user-agent',
  'x-atlassian-webhook-identifier',
  'x-atlassian-webhook-retry',
  'x-atlassian-webhook-flow',
  'linear-delivery',
  'linear-event',
  'linear-timestamp',
  'x-github-delivery',
  'x-github-event',
  'x-github-hook-id',
  'x-slack-request-timestamp',
  'x-slack-retry-num',
  'x-slack-retry-reason',
  'x-amz-sns-message-type',
  'x-amz-sns-message-id',
  'x-amz-sns-topic-arn',
]

export function headersToKeep({ headers }: RawDelivery): Record<string, string> {
  const kept = keptHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, storableText(value, 500)] as const] : []
  })
  return Object.fromEntries(kept)
}

const keyCharactersMax = 200

/** A provider's key as it is, where an index takes it; else what stands for it. */
export function keyOf(text: string): string {
  const kept = storableText(text, keyCharactersMax)
  return kept === text ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`
}

export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Newest last; what a delivery that is replayed for ever adds drops the oldest. */
export const timelineEntriesMax = 50
