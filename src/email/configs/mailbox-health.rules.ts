export const mailboxCauses = [
  'LOGIN_FAILED',
  'NOT_CONNECTED',
  'HOST_NOT_ALLOWED',
  'TLS_FAILED',
  'FOLDER_FAILED',
  'NOT_REACHABLE',
  'SERVER_ERROR',
  'QUOTA_EXCEEDED',
  'NOT_STORED',
] as const
export type MailboxCause = (typeof mailboxCauses)[number]

/** What is known of a mailbox that is read by IMAP. */
export type MailboxHealth = {
  cause: MailboxCause | null
  detail: string | null
  failures: number
  /** The last time at which it was read to its end. */
  lookedAt: Date | null
  nextLookAt: Date
}

/** Somebody has to do something. Servers lock accounts after many wrong logins, so these are tried rarely. */
const lasting: readonly MailboxCause[] = [
  'LOGIN_FAILED',
  'NOT_CONNECTED',
  'HOST_NOT_ALLOWED',
  'TLS_FAILED',
  'FOLDER_FAILED',
]
/** A server that restarts is no failure yet. */
const failuresUntilFailing = 3

export function isLasting(cause: MailboxCause): boolean {
  return lasting.includes(cause)
}

export function isFailing({ cause, failures }: Pick<MailboxHealth, 'cause' | 'failures'>): boolean {
  return cause !== null && (isLasting(cause) || failures >= failuresUntilFailing)
}
