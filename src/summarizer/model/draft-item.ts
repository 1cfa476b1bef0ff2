// The raw text of a model in, a JSON object or one of its items out, however badly it is wrapped or cut off.

/** A text written by a model. `entries` are the numbers of the entries it cites, counted from 1 as they were sent. */
export type DraftItem = { text: string; entries: number[] }

/** A model that exceeds these limits has gone wrong. */
const draftCharsMax = 200_000
const textCharsMax = 600
const entriesPerItemMax = 20

/**
 * The JSON object in a model's answer; null where there is none. The object may stand between code fences or other
 * text, and may be cut off. Costs one pass over the text.
 */
export function readObject(written: string): Record<string, unknown> | null {
  if (written.length > draftCharsMax) return null
  return findObject(written.replace(/<think>[\s\S]*?(?:<\/think>|$)/g, ''))
}

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= textCharsMax

/** Reads one item of that object; null where a required member is missing. */
export function readItem(item: unknown): DraftItem | null {
  if (typeof item !== 'object' || item === null) return null
  const { text: words, entries: cited } = item as Record<string, unknown>
  if (!isText(words) || !Array.isArray(cited) || cited.length === 0 || cited.length > entriesPerItemMax) return null
  return cited.every(Number.isSafeInteger) ? { text: words, entries: [...new Set(cited as number[])] } : null
}

function findObject(written: string): Record<string, unknown> | null {
  const start = written.indexOf('{')
  if (start < 0) return null
  const { whole, repaired } = cutObject(written, start)
  for (const candidate of [whole, repaired]) {
    const value = candidate === null ? null : parseJson(candidate)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  }
  return null
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/**
 * Finds the object that begins at `start`. `whole` is the text up to its end, or null where it is cut off. `repaired`
 * ends after the last complete part, with the missing brackets added and stray commas removed.
 */
function cutObject(written: string, start: number): { whole: string | null; repaired: string } {
  const open: string[] = []
  let safe = { end: start, closers: '' }
  let isString = false
  for (let i = start; i < written.length; i += 1) {
    const character = written[i]
    if (isString) {
      if (character === '\\') i += 1
      else if (character === '"') isString = false
      continue
    }
    if (character === '"') isString = true
    else if (character === '{') open.push('}')
    else if (character === '[') open.push(']')
    else if (character === '}' || character === ']') {
      open.pop()
      if (open.length > nestingMax) break
      safe = { end: i + 1, closers: open.toReversed().join('') }
      if (open.length === 0)
        return { whole: written.slice(start, i + 1), repaired: withoutStrayCommas(written.slice(start, i + 1)) }
    }
  }
  return { whole: null, repaired: withoutStrayCommas(written.slice(start, safe.end) + safe.closers) }
}
/** A valid draft needs four levels. */
const nestingMax = 20

/** A comma before a bracket inside a string is rare enough to ignore: the text is checked afterwards. */
const withoutStrayCommas = (json: string) => json.replace(/,(\s{0,20}[}\]])/g, '$1')
