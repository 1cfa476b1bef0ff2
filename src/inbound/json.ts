/** Any JSON value. Its sender chose every shape in it: read it through `valueAt` and what builds on that only. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/** Rich text of Jira and Slack nests a few dozen levels. The parser needs 50 times as long for a megabyte of brackets as for other text. */
const depthMax = 128
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Undefined for text that is no JSON or nests deeper than any provider's. */
export function parseJson(text: string): Json | undefined {
  if (!isShallow(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The JSON object in a text, or in bytes that are UTF-8; null for anything else. */
export function parseJsonObject(source: Buffer | string | null): JsonObject | null {
  try {
    const value = parseJson(typeof source === 'string' ? source : utf8.decode(source ?? undefined))
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Counts brackets outside of strings. The result is wrong for text that is no JSON, which the parser refuses. */
function isShallow(text: string): boolean {
  let depth = 0
  for (let index = 0, isInText = false; index < text.length && depth <= depthMax; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) isInText = !isInText
    else if (isInText) index += code === 0x5c ? 1 : 0
    else if (code === 0x5b || code === 0x7b) depth++
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return depth <= depthMax
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
