import type { AttachmentNote } from '../mime/attachment-types.ts'

export const directions = ['in', 'out'] as const
const receivedStatuses = ['received', 'processed', 'ignored', 'quarantined', 'dead'] as const
const sentStatuses = [
  'draft',
  'discarded',
  'queued',
  'sending',
  'sent',
  'deferred',
  'bounced',
  'failed',
  'suppressed',
] as const
export const messageStatuses = [...receivedStatuses, ...sentStatuses] as const
export type MessageStatus = (typeof messageStatuses)[number]

export const authenticities = ['pass', 'none', 'fail'] as const
/** By DMARC, with alignment. `none`: the domain of the sender says nothing that can be checked. */
export type Authenticity = (typeof authenticities)[number]

/** What an answer is based on. */
export type Citation = {
  kind: string
  id: string
  quote: string
  offsetMs: number | null
  page: number | null
}

/** A mail as it is stored, without its raw bytes. */
export type StoredMessage = {
  id: string
  threadId: string | null
  ownerId: string | null
  orgId: string | null
  /** The inbound webhook that delivered it; null for one that came another way. */
  connectionId: string | null
  direction: (typeof directions)[number]
  messageId: string
  inReplyTo: string | null
  references: string[]
  from: string
  envelopeFrom: string | null
  to: string[]
  cc: string[]
  subject: string
  replyText: string | null
  status: MessageStatus
  authenticity: Authenticity | null
  isStranger: boolean
  automatic: string | null
  attachments: AttachmentNote[]
  citations: Citation[]
  outcome: string | null
  cause: string | null
  verdicts: Record<string, string>
  /** Null if there is none, or no longer one. */
  rawBytes: number | null
  receivedAt: Date
  sentAt: Date | null
  revision: number
}

export type StoredMessageWithText = StoredMessage & { text: string }
