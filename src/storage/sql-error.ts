import { Refusal } from '../kernel/refusal.ts'

// SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** The server was not reached, or the connection was lost: codes of the socket and of the name lookup. */
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The same, where the driver has only a message. */
const lostMessages = [
  'Connection terminated',
  'Query read timeout',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'PGlite is clos',
]

/** The message of the error for a full queue. */
export const tooManyWaiters = 'Too many wait for a database connection'

/** No connection was free in time, too many wait for one, or the service is stopping. */
const busyMessages = ['timeout exceeded when trying to connect', 'Cannot use a pool after calling end', tooManyWaiters]

/**
 * The refusal that a database error means to the client, or null for an error of our own. A store that expects a violated
 * constraint checks `violates` first and refuses in its own words.
 */
export function sqlErrorRefusal(error: unknown): Refusal | null {
  const { code, message } = errorParts(error)
  const sqlClass = code.slice(0, 2)
  if (isConnectionLost(error) || startsWithAny(message, busyMessages)) return unavailable(2)
  if (isRetryable(error)) return unavailable(1)
  // 53: out of memory, disk or connections. 58: the disk fails. 57014: cancelled by statement_timeout. 25006: a standby.
  if (['53', '58'].includes(sqlClass) || code === '57014' || code === '25006') return unavailable(2)
  // 22: a value the column's type has no room for. 54001: nested too deep for the server's stack.
  if (sqlClass === '22' || code === '54001') {
    return new Refusal('VALIDATION_ERROR', { detail: 'A value cannot be stored: it is out of range.' })
  }
  if (code === '23505' || code === '23503') return new Refusal('STATE_CONFLICT')
  return null
}

/** Whether the error is the violation of this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  const parts = errorParts(error)
  return parts.code.startsWith('23') && parts.constraint === constraint
}

/** The connection can no longer be used: nothing can be rolled back on it. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = errorParts(error)
  return lostCodes.has(code) || /^(08|57P)/.test(code) || startsWithAny(message, lostMessages)
}

/** The database rolled the transaction back, and it may be run again: serialization failure, deadlock, stale plan. */
export function isRetryable(error: unknown): boolean {
  const { code } = errorParts(error)
  return code === '40001' || code === '40P01' || isStalePlan(error)
}

/**
 * A named statement uses a table that a migration changed (0A000), is unknown to its connection (26000), or was sent there twice
 * as new (42P05): after a statement that could not be prepared, the driver forgets later ones that it has sent already.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = errorParts(error)
  return code === '26000' || code === '42P05' || (code === '0A000' && message.startsWith('cached plan must not change'))
}

function unavailable(retryAfterSeconds: number): Refusal {
  return new Refusal('UNAVAILABLE', { retryAfterSeconds })
}

function startsWithAny(message: string, starts: string[]): boolean {
  return starts.some((start) => message.startsWith(start))
}

function errorParts(error: unknown): { code: string; message: string; constraint: string } {
  const parts = (error ?? {}) as Record<string, unknown>
  const text = (name: string) => (typeof parts[name] === 'string' ? parts[name] : '')
  return { code: text('code'), message: text('message'), constraint: text('constraint') }
}
