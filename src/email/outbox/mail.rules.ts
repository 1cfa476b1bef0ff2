import type { SealedColumn } from '../../storage/sealed-column.ts'

export const mailKinds = ['VERIFY_EMAIL', 'RESET_PASSWORD'] as const
export type MailKind = (typeof mailKinds)[number]

/** PENDING: not sent yet. FAILED: refused for good. DISCARDED: its token was of no more use before it could be sent. */
export const mailStatuses = ['PENDING', 'SENT', 'FAILED', 'DISCARDED'] as const
export type MailStatus = (typeof mailStatuses)[number]

/** A mail as administrators see it: without what it says, which holds a token. */
export type Mail = {
  id: string
  tenantId: string
  userId: string
  recipient: string
  kind: MailKind
  status: MailStatus
  attempts: number
  lastError: string | null
  createdAt: Date
  expiresAt: Date
  sentAt: Date | null
}

/** A mail that one user is to get, with the token it carries. */
export type NewMail = { user: { id: string; email: string }; kind: MailKind; token: string; expiresAt: Date; now: Date }

const errorLengthMax = 300

/** What is kept of a mail server's answer: one line, and never the token, which some servers quote. */
export function errorLine(message: string, token: string): string {
  const line = message
    .replaceAll(token, '[withheld]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.slice(0, errorLengthMax)
}

/** What a mail carries. */
export const sealedMails: SealedColumn = {
  table: 'mail_outbox',
  column: 'content_sealed',
  owner: ['tenant_id', 'id'],
  boundTo: ([tenantId = '', id = '']) => placeOf({ tenantId, id }),
}

/** The row that a sealed content belongs to. */
export function placeOf({ tenantId, id }: { tenantId: string; id: string }): string {
  return `mail:${tenantId}:${id}`
}
