/** What a model is asked for. Nothing in it is believed before it was checked against the transcript. */
export type Draft = {
  topics: string[]
  sentences: DraftItem[]
  contributions: (DraftItem & { speaker: string })[]
  decisions: DraftItem[]
  actionItems: (DraftItem & { owner: string | null; due: string | null })[]
  questions: (DraftItem & { speaker: string })[]
}

/** `entries` are the numbers of entries as they were sent. */
export type DraftItem = { text: string; entries: number[] }

const text = { type: 'string' }
const entries = { type: 'array', items: { type: 'integer' } }
const orNull = { type: ['string', 'null'] }
const listOf = (properties: Record<string, object>) => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})
const lists = {
  topics: { type: 'array', items: text },
  sentences: listOf({ text, entries }),
  contributions: listOf({ speaker: text, text, entries }),
  decisions: listOf({ text, entries }),
  actionItems: listOf({ text, owner: orNull, due: orNull, entries }),
  questions: listOf({ text, speaker: text, entries }),
}

export const draftSchema = {
  type: 'object',
  properties: lists,
  required: Object.keys(lists),
  additionalProperties: false,
}

/** Beyond these a model has lost its way. */
const draftCharsMax = 200_000
const itemsMax = 200
const textCharsMax = 600
const entriesPerItemMax = 20

/**
 * The draft in what a model wrote: JSON, perhaps between fences or other text, perhaps cut off. Items without the members
 * they need are left out; null where there is no object at all. Costs one pass over the text.
 */
export function readDraft(written: string): Draft | null {
  if (written.length > draftCharsMax) return null
  const found = objectIn(written.replace(/<think>[\s\S]*?(?:<\/think>|$)/g, ''))
  if (found === null) return null
  const items = (name: keyof Draft) => {
    const list = Object.hasOwn(found, name) ? found[name] : []
    return Array.isArray(list) ? (list.slice(0, itemsMax) as unknown[]) : []
  }
  const read = <T>(name: keyof Draft, rest: (item: Record<string, unknown>) => T | null) =>
    items(name).flatMap((item) => {
      const base = itemOf(item)
      const more = base && rest(item as Record<string, unknown>)
      return base && more ? [{ ...base, ...more }] : []
    })
  const spoken = ({ speaker }: Record<string, unknown>) => (isText(speaker) ? { speaker } : null)
  return {
    topics: items('topics').filter(isText),
    sentences: read('sentences', () => ({})),
    contributions: read('contributions', spoken),
    decisions: read('decisions', () => ({})),
    actionItems: read('actionItems', ({ owner, due }) => ({
      owner: isText(owner) ? owner : null,
      due: isText(due) ? due : null,
    })),
    questions: read('questions', spoken),
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= textCharsMax

function itemOf(item: unknown): DraftItem | null {
  if (typeof item !== 'object' || item === null) return null
  const { text: words, entries: cited } = item as Record<string, unknown>
  if (!isText(words) || !Array.isArray(cited) || cited.length === 0 || cited.length > entriesPerItemMax) return null
  return cited.every(Number.isSafeInteger) ? { text: words, entries: [...new Set(cited as number[])] } : null
}

function objectIn(written: string): Record<string, unknown> | null {
  const start = written.indexOf('{')
  if (start < 0) return null
  const { whole, repaired } = cutAtEnd(written, start)
  for (const candidate of [whole, repaired]) {
    const value = candidate === null ? null : parsed(candidate)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  }
  return null
}

function parsed(json: string): unknown {
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
function cutAtEnd(written: string, start: number): { whole: string | null; repaired: string } {
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
