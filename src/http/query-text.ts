import { parse } from 'node:querystring'
import { pointerToken } from '../kernel/json-pointer.ts'
import type { FieldError } from '../kernel/refusal.ts'
import { isStorableText } from './body.ts'

/**
 * Splits and decodes a query. A parameter that is sent more than once is a list. Text that cannot be decoded, such as `%FF`
 * or `%2`, is read as NUL, which `encodingFaults` finds. Kept as it was sent, it would look like the decoded `%25FF`.
 */
export function parseQueryText(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: decodeOrNul })
}

function decodeOrNul(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '\u0000'
  }
}

/** The faults of the parameters whose value is no text that can be stored. */
export function encodingFaults(query: Record<string, unknown>, names: string[]): FieldError[] {
  return names
    .filter((name) => !isText(query[name]))
    .map((name) => ({
      path: `/query/${pointerToken(name)}`,
      code: 'encoding',
      message: 'must be percent-encoded UTF-8 without NUL characters',
    }))
}

function isText(value: unknown): boolean {
  return [value].flat().every((text) => typeof text !== 'string' || isStorableText(text))
}
