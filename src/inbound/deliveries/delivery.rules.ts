import { createHash } from 'node:crypto'
import { storableText } from '../../kernel/storable-text.ts'
import type { RawDelivery } from '../incoming-delivery.ts'
import type { Outcome } from '../processing.ts'
import type { Channel, SchemeName } from '../scheme.ts'
import type { Cause } from './rejection-causes.ts'

/**
 * `received` waits to be processed, `retrying` for another attempt. `processed` and `ignored` are done, `dead` has failed
 * for good; all three may be replayed. `rejected` was not accepted.
 */
export const deliveryStatuses = ['received', 'processed', 'ignored', 'retrying', 'dead', 'rejected'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export const replayedStatuses = ['dead', 'ignored', 'processed'] as const
export type ReplayedStatus = (typeof replayedStatuses)[number]

export type Rejection = { cause: Cause; detail: string }

export const deliveryKinds = ['event', 'confirmation', 'refusal'] as const
type Kind = (typeof deliveryKinds)[number]

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

/** The headers that are logged. They contain no signature, no credential and no address of a person. */
const headerNames = [
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
  'x-zm-request-timestamp',
  'x-goog-channel-id',
  'x-goog-message-number',
  'x-goog-resource-state',
]

export function loggedHeaders({ headers }: RawDelivery): Record<string, string> {
  const kept = headerNames.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, storableText(value, 500)] as const] : []
  })
  return Object.fromEntries(kept)
}

const keyCharactersMax = 200

/** The key as it is where an index can hold it, otherwise its hash. */
export function indexKey(text: string): string {
  const kept = storableText(text, keyCharactersMax)
  return kept === text ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`
}

export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Newest last. A delivery that is replayed again and again drops its oldest entries. */
export const timelineEntriesMax = 50
