/** Names of members and headers that may hold a secret. `keyPrefix` and `keyHint` only identify a key and are kept. */
const wholeWord = /(?:^|[_-])(?:key|password|hash|token|secret|authorization|cookie)$/i
const lastWord = /[a-z0-9](?:Key|Password|Hash|Token|Secret|Authorization|Cookie)$/
const withheld = '[withheld]'

/** Deeper than any data of ours: a circular reference ends here. */
const depthMax = 20

/**
 * Removes secrets from audit entries and log lines. Callers should not pass secrets; a member that is named like one is
 * replaced here, at any depth.
 */
export function redactSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return redactMembers(fields, 0)
}

function redactMembers(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isSecret(name) ? withheld : redactValue(value, depth + 1)]),
  )
}

function isSecret(name: string): boolean {
  return wholeWord.test(name) || lastWord.test(name)
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth > depthMax || ArrayBuffer.isView(value)) return withheld
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1))
  if (value instanceof Error) return redactError(value, depth)
  return redactMembers(value, depth)
}

/** The safe members of an error. Drivers keep whole connections in others. */
function redactError(
  error: Error & { code?: unknown; constraint?: unknown; errors?: unknown },
  depth: number,
): unknown {
  const { name, message, code, constraint, stack, cause, errors } = error
  return {
    name,
    message,
    code,
    constraint,
    stack,
    ...(cause === undefined ? {} : { cause: redactValue(cause, depth + 1) }),
    ...(errors === undefined ? {} : { errors: redactValue(errors, depth + 1) }),
  }
}
