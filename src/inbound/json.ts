/** What JSON can be. Whoever sends it chose every shape in it: it is read by `valueAt` and what builds on it, and by nothing else. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Rich text of Jira and Slack nests a few dozen deep. A megabyte of brackets takes the parser 50 times as long as other text. */
const depthMax = 128

/** Undefined for what is no JSON, or nests deeper than any provider's. */
export function parseJson(text: string): Json | undefined {
  if (!isShallow(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Counts brackets outside of strings. Wrong for what is no JSON, which the parser refuses. */
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

/** What stands at a path of names and places; undefined where the shape is another. Only members of its own are seen. */
export function valueAt(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, Json>)[name]
  }
  return found
}
