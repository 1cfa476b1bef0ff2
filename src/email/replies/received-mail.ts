import type { Authenticity } from '../message.rules.ts'

/** A received mail as it was read: what decides about an answer. */
export type ReceivedMail = {
  id: string
  threadId: string | null
  ownerId: string | null
  orgId: string | null
  authenticity: Authenticity
  isStranger: boolean
  /** Why it is kept aside; null if it could be read. */
  quarantine: string | null
  from: string
  senders: readonly string[]
  /** To whom it went beside us, in lower case. */
  recipients: readonly string[]
  /** What follows the plus sign in our address, unless it is a token. */
  tag: string | null
  subject: string
  /** All of it, with quotes and signature. */
  text: string
  /** The names are in lower case. */
  headers: readonly (readonly [name: string, value: string])[]
  /** Of its parts. */
  contentTypes: readonly string[]
  envelopeFrom: string | null
  messageId: string | null
  inReplyTo: string | null
  references: readonly string[]
  verdicts: Readonly<Record<string, string>>
}
