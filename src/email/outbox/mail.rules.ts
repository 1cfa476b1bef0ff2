import type { SealedColumn } from '../../storage/sealed-column.ts'

export const mailKinds = ['VERIFY_EMAIL', 'RESET_PASSWORD', 'INVITATION'] as const
export type MailKind = (typeof mailKinds)[number]

/** PENDING: not sent yet. FAILED: rejected for good. DISCARDED: its token became invalid before it could be sent. */
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
  kind: Exclude<MailKind, 'INVITATION'>
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

/** What is sealed: the token, and what an invitation says besides. */
export type MailContent = { token: string; invitation?: Pick<InvitationMail, 'inviterEmail' | 'orgName'> }

const errorLengthMax = 300

/** The answer of a mail server as one line, without the token, which some servers quote. */
export function errorLine(message: string, token: string): string {
  const line = message
    .replaceAll(token, '[withheld]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.slice(0, errorLengthMax)
}

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
