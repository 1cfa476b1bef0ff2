import { findJsonExcess } from '../kernel/json-limits.ts'

/** Any JSON value. Its sender chose every shape in it: read it through `valueAt` and what builds on that only. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/**
 * Rich text of Jira and Slack nests a few dozen levels. The parser needs 50 times as long for a megabyte of brackets as
 * for other text. The events that have an effect here have some hundred members.
 */
const limits = { depthMax: 128, membersMax: 20_000 }
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Whether a body in UTF-8 has more members and elements than are read of any delivery. */
export function hasTooManyMembers(body: Uint8Array): boolean {
  return findJsonExcess(body, limits)?.limit === 'membersMax'
}

/** Undefined for text that is no JSON, nests deeper than any provider's, or has too many members and elements. */
export function parseJson(text: string): Json | undefined {
  return findJsonExcess(Buffer.from(text), limits) === null ? parsed(text) : undefined
}

/** The JSON object in a text, or in bytes that are UTF-8; null for anything else. */
export function parseJsonObject(source: Uint8Array | string | null): JsonObject | null {
  const value = typeof source === 'string' ? parseJson(source) : source && parseBytes(source)
  return value !== undefined && typeof value === 'object' && !Array.isArray(value) ? value : null
}

function parseBytes(bytes: Uint8Array): Json | undefined {
  if (findJsonExcess(bytes, limits) !== null) return undefined
  try {
    return parsed(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The value at a path of names and indexes; undefined where the shape is another. Inherited members are not seen. */
export function valueAt(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, Json>)[name]
  }
  return found
}
