import type { MailAttachment, Mailbox, MailHeader } from '../../mime/parse-mail.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Authenticity } from '../message.rules.ts'

/** Called in the transaction that stores a mail to an address of ours. */
export type OnReceived = (tx: TenantScope, received: Owner & { messageId: string; threadId: string }) => Promise<void>

/** A received mail with all that its raw bytes hold. */
export type ReceivedMessage = Owner & {
  id: string
  /** Null: of a mail that is only tried, and would begin one. */
  threadId: string | null
  authenticity: Authenticity
  /** The sender is not of the thread. */
  isStranger: boolean
  /** The user who wrote it, proved: authentic, from the user's verified address. */
  senderUserId: string | null
  /** The user whose verified address the mail says it is from. */
  claimedUserId: string | null
  from: Mailbox | null
  replyTo: Mailbox[]
  to: Mailbox[]
  cc: Mailbox[]
  /** What follows the plus sign in our address, such as `docs`. */
  tag: string | null
  subject: string
  text: string
  headers: MailHeader[]
  attachments: MailAttachment[]
  envelopeFrom: string | null
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  verdicts: Record<string, string>
  receivedAt: Date
}
