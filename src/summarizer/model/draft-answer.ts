import { type DraftItem, readItem, readObject } from './draft-item.ts'

/** The JSON Schema of an answer that a model writes from numbered passages. */
export const answerSchema = {
  type: 'object',
  properties: {
    answered: { type: 'boolean' },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, entries: { type: 'array', items: { type: 'integer' } } },
        required: ['text', 'entries'],
        additionalProperties: false,
      },
    },
  },
  required: ['answered', 'parts'],
  additionalProperties: false,
}

export const answerTokensMax = 700
/** An answer with more parts would be a report. */
const partsMax = 8

/** Reads a model's answer without checking it. Null where it is not valid. Empty where the model found no answer. */
export function readAnswer(written: string): DraftItem[] | null {
  const found = readObject(written)
  if (found === null || !Object.hasOwn(found, 'parts') || !Array.isArray(found['parts'])) return null
  const parts = found['parts'] as unknown[]
  if (parts.length > partsMax) return null
  if (found['answered'] === false) return []
  const items = parts.map(readItem)
  return items.length > 0 && items.every((item) => item !== null) ? items : null
}
