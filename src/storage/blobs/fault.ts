import { Refusal } from '../../kernel/refusal.ts'

/** What the store could not do, for the caller; the cause is for the log, and holds no credential. */
export function storeUnavailable(doing: string, cause: unknown): Refusal {
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown }
  const reason = typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
  return Object.assign(
    new Refusal('UNAVAILABLE', { retryAfterSeconds: 2, detail: `The media store could not ${doing} (${reason}).` }),
    { cause: reason },
  )
}
