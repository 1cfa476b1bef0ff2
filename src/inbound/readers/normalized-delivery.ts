import type { LinkedIssue } from './issue.rules.ts'

/** The content of a delivery in one form for all providers. */
export type NormalizedDelivery =
  | IssueUpdate
  | CommentNotice
  | ChatMention
  | ChangeNotification
  | ReceivedMail
  | MailReport
  | BotHint
  | IntegrationHint
  | IgnoredDelivery

export type IssueUpdate = {
  /** For a deletion, `issue` is its last state. */
  kind: 'issue.upserted' | 'issue.deleted'
  issue: LinkedIssue
  /** Null where the provider does not tell it. */
  updatedAt: Date | null
  /** For a deletion without a time of its own: it happened after this. */
  notBefore?: Date | null
  /** The id of the action of ours that created the issue, where it has our marker. */
  marker: string | null
  /** The tracker's id of the person who has the issue. */
  assigneeId: string | null
  /** The provider's name for the person who did it. */
  actor: string | null
}

export type CommentNotice = { kind: 'comment'; key: string }

export type ChatMention = {
  kind: 'chat.mention'
  /** The Slack workspace or Teams directory in which the question was asked. */
  workspace: string | null
  /** Of Teams, where the conversation is a channel. */
  team: string | null
  conversation: string
  /** Nobody but the two of us reads it. */
  isDirect: boolean
  /** Where in the conversation an answer belongs. */
  thread: string | null
  messageId: string
  user: string
  /** Without the mention itself. May be empty. */
  text: string
  isBot: boolean
  /** Bot Framework: the host that accepts an answer. */
  serviceUrl: string | null
}

/** Microsoft Graph: these resources changed and can be fetched there. */
export type ChangeNotification = { kind: 'notification'; resources: string[] }

/** Something has changed at the provider; what it is, the provider is asked. `accountId`: whose it is, where that is told. */
export type IntegrationHint = { kind: 'integration.hint'; provider: 'google' | 'zoom'; accountId: string | null }

/** The content of a mail. */
export type Mail = {
  inReplyTo: string | null
  references: string[]
  from: string
  /** The sender of the envelope; null where the provider does not tell it, empty for a bounce. */
  envelopeFrom: string | null
  to: string[]
  subject: string
  text: string
  /** The provider's results for SPF, DKIM, DMARC and spam, in its words. */
  verdicts: Record<string, string>
  /** Null where the provider stored the mail elsewhere. `type` is `message/rfc822`, or that of the delivery for a parsed mail. */
  raw: { bytes: Buffer; type: string } | null
}

export type ReceivedMail = { kind: 'email.received'; messageId: string | null } & Mail

/** A mail service reports what happened to a mail that it was to send. */
export type MailReport = {
  kind: 'email.report'
  /** `rejected`: for good; `deferred`: for now; `complaint`: somebody reported it as spam. */
  what: 'rejected' | 'deferred' | 'complaint'
  /** Whose mailboxes it is about. At least one. */
  addresses: string[]
  /** Of the mail; null where the service does not tell it. */
  envelopeFrom: string | null
  messageIds: string[]
}

/** Something has changed with a bot that a vendor sent; it is asked what. */
export type BotHint = {
  kind: 'bot.hint'
  vendor: 'recall' | 'attendee' | 'vexa'
  externalId: string
  /** A decision of a participant in the chat. */
  chat: { id: string; from: string; text: string } | null
}

export type IgnoredDelivery = { kind: 'ignored'; reason: string }

export function ignored(reason: string): IgnoredDelivery {
  return { kind: 'ignored', reason }
}
