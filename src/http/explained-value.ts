import type { TSchema } from 'typebox'

/** No object of a schema of ours has so many members: what exceeds it is unknown. */
const membersMax = 200

/**
 * The value for an explanation of its faults, which costs far more for each member than the check itself. Objects with
 * very many members keep those that the schema names anywhere, so that no known one seems to be missing, and the first of
 * the others.
 */
export function valueToExplain(schema: TSchema, value: unknown): unknown {
  const known = new Set<string>()
  collectNames(schema, known)
  return withoutCrowd(value, known)
}

function collectNames(schema: unknown, known: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, part] of Object.entries(schema)) {
    known.add(name)
    collectNames(part, known)
  }
}

function withoutCrowd(value: unknown, known: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutCrowd(element, known))
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  const kept = names.length <= membersMax ? names : names.filter((name, index) => index < membersMax || known.has(name))
  return Object.fromEntries(kept.map((name) => [name, withoutCrowd((value as Record<string, unknown>)[name], known)]))
}
