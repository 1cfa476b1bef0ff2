// Vendors are not trusted to answer in the shape that they document. Nothing here throws.

/** The value at a path of members; undefined where the shape is another. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, unknown>)[name]
  }
  return found
}

export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = valueAt(value, ...path)
  return typeof found === 'string' && found !== '' ? found : null
}

export function numberAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = valueAt(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** An id, which some vendors write as a number. */
export function idAt(value: unknown, ...path: (string | number)[]): string | null {
  const number = numberAt(value, ...path)
  const text = number === null ? textAt(value, ...path) : String(number)
  return text !== null && /^[\w.:-]{1,200}$/.test(text) ? text : null
}

/** A time in ISO 8601. Without a zone it is UTC, as Python writes it. */
export function timeAt(value: unknown, ...path: (string | number)[]): Date | null {
  const text = textAt(value, ...path)
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || text.length > 40) return null
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : new Date(ms)
}

/** What an answer says about a failure, for people; without what may be a secret. */
export function failureDetail(status: number, body: unknown): string {
  const word = textAt(body, 'detail') ?? textAt(body, 'error') ?? textAt(body, 'code') ?? textAt(body, 'message')
  return word === null ? `HTTP ${status}` : `HTTP ${status}: ${word.slice(0, 200)}`
}
