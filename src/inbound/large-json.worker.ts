import { answerInWorker } from '../workers/answer-in-worker.ts'
import { type Json, type JsonObject, parseJsonObject } from './json.ts'

/** Far longer than any identifier. */
const textLengthMax = 10_000

answerInWorker((_: null, body) => {
  const object = parseJsonObject(body)
  return object && withoutLongTexts(object)
})

function withoutLongTexts(object: JsonObject): JsonObject {
  const emptied = (value: Json): Json => {
    if (typeof value === 'string') return value.length > textLengthMax ? '' : value
    if (Array.isArray(value)) return value.map(emptied)
    return typeof value === 'object' && value !== null ? withoutLongTexts(value) : value
  }
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, emptied(value)]))
}
