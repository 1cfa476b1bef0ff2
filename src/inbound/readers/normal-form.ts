import type { LinkedIssue } from './issue.rules.ts'

/** What a delivery says, whichever provider said it. */
export type NormalForm = IssueForm | CommentForm | MentionForm | NotificationForm | MailForm | IgnoredForm

export type IssueForm = {
  /** Deleted: `issue` is what it was. */
  kind: 'issue.upserted' | 'issue.deleted'
  issue: LinkedIssue
  /** Null: the provider does not say. */
  updatedAt: Date | null
  /** Of a deletion that says nothing of its moment: it came after this. */
  notBefore?: Date | null
  /** Who did it, as the provider calls them. */
  actor: string | null
}

export type CommentForm = { kind: 'comment'; key: string }

export type MentionForm = {
  kind: 'chat.mention'
  /** The workspace of Slack or the directory of Teams in which it was asked. */
  workspace: string | null
  conversation: string
  /** Where in the conversation an answer belongs. */
  thread: string | null
  messageId: string
  user: string
  /** Without the mention itself; may be empty. */
  text: string
  isBot: boolean
  /** Bot Framework: which of its hosts takes an answer. */
  serviceUrl: string | null
}

/** Of Microsoft Graph: something changed, to be fetched there. */
export type NotificationForm = { kind: 'notification'; resources: string[] }

/** What a mail says. */
export type Mail = {
  inReplyTo: string | null
  references: string[]
  from: string
  /** Who sent it by the envelope; null where the provider does not say, empty for a bounce. */
  envelopeFrom: string | null
  to: string[]
  subject: string
  text: string
  /** What the provider found of SPF, DKIM, DMARC and spam, in its words. */
  verdicts: Record<string, string>
  /** Null: the provider put the mail elsewhere. `type` is `message/rfc822` or, of a parsed mail, that of the delivery. */
  raw: { bytes: Buffer; type: string } | null
}

export type MailForm = { kind: 'email.received'; messageId: string | null } & Mail

export type IgnoredForm = { kind: 'ignored'; reason: string }

export function ignored(reason: string): IgnoredForm {
  return { kind: 'ignored', reason }
}
