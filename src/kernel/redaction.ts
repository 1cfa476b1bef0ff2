/** Members whose value could open something, headers among them. `keyPrefix` and `keyHint` only name a key and are kept. */
const wholeWord = /(?:^|[_-])(?:key|password|hash|token|secret|authorization|cookie)$/i
const lastWord = /[a-z0-9](?:Key|Password|Hash|Token|Secret|Authorization|Cookie)$/
const withheld = '[withheld]'

/** Deeper than anything of ours: a circle ends here. */
const depthMax = 20

/**
 * What may be written down: audit entries and log lines. Callers leave secrets out in the first place; what still slips
 * in under the name of one is withheld here, at any depth.
 */
export function redactSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return membersOf(fields, 0)
}

function membersOf(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isSecret(name) ? withheld : kept(value, depth + 1)]),
  )
}

function isSecret(name: string): boolean {
  return wholeWord.test(name) || lastWord.test(name)
}

function kept(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth > depthMax || ArrayBuffer.isView(value)) return withheld
  if (Array.isArray(value)) return value.map((entry) => kept(entry, depth + 1))
  if (value instanceof Error) return told(value, depth)
  return membersOf(value, depth)
}

/** What may be said of an error: never its other members, among which drivers keep whole connections. */
function told(error: Error & { code?: unknown; constraint?: unknown; errors?: unknown }, depth: number): unknown {
  const { name, message, code, constraint, stack, cause, errors } = error
  return {
    ...{ name, message, code, constraint, stack },
    ...(cause === undefined ? {} : { cause: kept(cause, depth + 1) }),
    ...(errors === undefined ? {} : { errors: kept(errors, depth + 1) }),
  }
}
