/** Members whose value could open something. `keyPrefix` and `keyHint` only name a key and are kept. */
const secretName = /(?:^|_)(?:key|password|hash|token|secret)$|(?:Key|Password|Hash|Token|Secret)$/
const withheld = '[withheld]'

/**
 * The changes of an audit entry as they may be stored. Callers leave secrets out in the first place; what still slips
 * in under the name of one is withheld here, at any depth.
 */
export function withoutSecrets(changes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, secretName.test(name) ? withheld : kept(value)]),
  )
}

function kept(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kept)
  if (Buffer.isBuffer(value)) return withheld
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return withoutSecrets(value as Record<string, unknown>)
}
