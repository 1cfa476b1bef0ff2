// The JSON answer of a model in, a typed but unchecked draft of a summary out.

import { type DraftItem, isText, readItem, readObject } from './draft-item.ts'

/** What a model is asked for. Nothing in it is trusted before it was checked against the transcript. */
export type Draft = {
  topics: string[]
  sentences: DraftItem[]
  contributions: (DraftItem & { speaker: string })[]
  decisions: DraftItem[]
  actionItems: (DraftItem & { owner: string | null; due: string | null })[]
  questions: (DraftItem & { speaker: string })[]
}

const text = { type: 'string' }
const entries = { type: 'array', items: { type: 'integer' } }
const orNull = { type: ['string', 'null'] }
const listSchema = (properties: Record<string, object>) => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})
const lists = {
  topics: { type: 'array', items: text },
  sentences: listSchema({ text, entries }),
  contributions: listSchema({ speaker: text, text, entries }),
  decisions: listSchema({ text, entries }),
  actionItems: listSchema({ text, owner: orNull, due: orNull, entries }),
  questions: listSchema({ text, speaker: text, entries }),
}

export const draftSchema = {
  type: 'object',
  properties: lists,
  required: Object.keys(lists),
  additionalProperties: false,
}

/** A model that exceeds this has gone wrong. */
const itemsMax = 200

/**
 * Reads the draft from a model's answer: JSON that may be wrapped in other text or cut off. Items without their
 * required members are dropped. Null where there is no object at all. Costs one pass over the text.
 */
export function readDraft(written: string): Draft | null {
  const found = readObject(written)
  if (found === null) return null
  const items = (name: keyof Draft) => {
    const list = Object.hasOwn(found, name) ? found[name] : []
    return Array.isArray(list) ? (list.slice(0, itemsMax) as unknown[]) : []
  }
  const read = <T>(name: keyof Draft, rest: (item: Record<string, unknown>) => T | null) =>
    items(name).flatMap((item) => {
      const base = readItem(item)
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
