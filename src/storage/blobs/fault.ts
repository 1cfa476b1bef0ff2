import { Refusal } from '../../kernel/refusal.ts'

/** A refusal that says what the store could not do. The cause is for the log and holds no credential. */
export function storeUnavailable(doing: string, cause: unknown): Refusal {
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown }
  const reason = typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
  return Object.assign(
    new Refusal('UNAVAILABLE', { retryAfterSeconds: 2, detail: `The media store could not ${doing} (${reason}).` }),
    { cause: reason },
  )
}
