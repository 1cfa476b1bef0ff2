/** Reads members of JSON that somebody else sent. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at the path; undefined if a step is missing. */
export function fieldAt(value: unknown, ...path: (string | number)[]): unknown {
  let current = value
  for (const step of path) {
    if (Array.isArray(current) && typeof step === 'number') current = current[step]
    else if (isRecord(current) && typeof step === 'string' && Object.hasOwn(current, step)) current = current[step]
    else return undefined
  }
  return current
}

/** Text, or a number as text; null for anything else and for nothing. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = fieldAt(value, ...path)
  if (typeof found === 'number' && Number.isFinite(found)) return String(found)
  return typeof found === 'string' && found !== '' ? found : null
}

/** Null: it is no time, or one that cannot be kept. */
export function parseTime(text: string | null): Date | null {
  const ms = text === null ? Number.NaN : Date.parse(text)
  return ms >= 0 && ms < Date.UTC(9999, 0) ? new Date(ms) : null
}

export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = fieldAt(value, ...path)
  return Array.isArray(found) ? found : []
}
