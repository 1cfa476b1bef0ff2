import type { SealedColumn } from '../storage/sealed-column.ts'

export const mailKinds = [
  'VERIFY_EMAIL',
  'RESET_PASSWORD',
  'INVITATION',
  'TASKS_DUE',
  'USAGE_THRESHOLD',
  'DIGEST',
  'INTEGRATION_REAUTH',
] as const
export type MailKind = (typeof mailKinds)[number]

/** PENDING: not sent yet. FAILED: rejected for good. DISCARDED: it was no longer valid or wanted before it could be sent. */
export const mailStatuses = ['PENDING', 'SENT', 'FAILED', 'DISCARDED'] as const
export type MailStatus = (typeof mailStatuses)[number]

/** A mail without its content, which contains a token. Administrators may see it. */
export type Mail = {
  id: string
  tenantId: string
  /** Null: to an address that may have no user. */
  userId: string | null
  recipient: string
  kind: MailKind
  status: MailStatus
  attempts: number
  lastError: string | null
  createdAt: Date
  expiresAt: Date
  sentAt: Date | null
}

/** A mail to one user, with its token. */
export type NewMail = {
  user: { id: string; email: string }
  kind: 'VERIFY_EMAIL' | 'RESET_PASSWORD'
  token: string
  expiresAt: Date
  now: Date
}

/** An invitation to an organization. `orgName` is letters, digits and spaces. */
export type InvitationMail = {
  email: string
  token: string
  expiresAt: Date
  now: Date
  inviterEmail: string
  orgName: string
}

/** A task in a reminder. `due` is a day, `YYYY-MM-DD`. */
export type DueTask = { title: string; due: string }

/**
 * A reminder of tasks of one organization that are due `today` or tomorrow or were due before: the first of them, and the
 * `count` of all. `token` ends the reminders.
 */
export type TasksDueMail = {
  user: { id: string; email: string }
  token: string
  expiresAt: Date
  now: Date
  orgName: string
  today: string
  tasks: DueTask[]
  count: number
}

/** A mail without a token, whose text is ready: one line a paragraph. */
export type NoticeMail = {
  user: { id: string; email: string }
  kind: 'USAGE_THRESHOLD' | 'INTEGRATION_REAUTH'
  expiresAt: Date
  now: Date
  subject: string
  paragraphs: string[]
}

/** A digest, whose text is ready. `token` ends the digests. */
export type DigestMail = Omit<NoticeMail, 'kind'> & { token: string }

/** What is sealed: the token, and what an invitation or a reminder says besides; or the text of a notice. */
export type MailContent = {
  /** Empty in a notice, but not in a digest. */
  token: string
  notice?: Pick<NoticeMail, 'subject' | 'paragraphs'>
  invitation?: Pick<InvitationMail, 'inviterEmail' | 'orgName'>
  tasksDue?: Pick<TasksDueMail, 'orgName' | 'today' | 'tasks' | 'count'>
}

/** The words of a mail. `link`: the text is an address. A line break within other texts stays one. */
export type Paragraph = { text: string; as?: 'link' | 'code' }
export type LetterTexts = { subject: string; paragraphs: Paragraph[] }

/** The sealed content of mails. */
export const sealedMails: SealedColumn = {
  table: 'mail_outbox',
  column: 'content_sealed',
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => sealContext({ tenantId, id }),
}

/** Binds a sealed content to its row. */
export function sealContext({ tenantId, id }: { tenantId: string; id: string }): string {
  return `mail:${tenantId}:${id}`
}
