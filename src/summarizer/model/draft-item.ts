/** A text of a model, and what it rests on: `entries` are the numbers of entries as they were sent. */
export type DraftItem = { text: string; entries: number[] }

/** Beyond these a model has lost its way. */
const draftCharsMax = 200_000
const textCharsMax = 600
const entriesPerItemMax = 20

/**
 * The JSON object in what a model wrote, perhaps between fences or other text, perhaps cut off; null where there is none.
 * Costs one pass over the text.
 */
export function readObject(written: string): Record<string, unknown> | null {
  if (written.length > draftCharsMax) return null
  return findObject(written.replace(/<think>[\s\S]*?(?:<\/think>|$)/g, ''))
}

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= textCharsMax

/** The item in a member of that object; null where something is missing. */
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
 * The object that begins at `start`: `whole` where it ends, and `repaired` up to the last part of it that was finished, with the
 * brackets that are then missing and without commas before an end.
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
/** A draft needs four. */
const nestingMax = 20

/** Strings hold a comma before a bracket too seldom to matter: the text is checked afterwards. */
const withoutStrayCommas = (json: string) => json.replace(/,(\s{0,20}[}\]])/g, '$1')
