import { type Json, valueAt } from '../json.ts'
import { identifierAt } from '../schemes/identifiers.ts'
import { type BotHint, type IgnoredDelivery, ignored } from './normalized-delivery.ts'

const decisionText = /^\s*!(?:agree|stop|forget)\b/i
const unknown = 'The delivery names no bot.'

export function readRecall(payload: Json): BotHint | IgnoredDelivery {
  const bot = identifierAt(payload, 'data', 'bot', 'id') ?? identifierAt(payload, 'data', 'bot_id')
  if (bot === null) return ignored(unknown)
  const event = valueAt(payload, 'data', 'data')
  const at = valueAt(event, 'timestamp', 'relative')
  // As the file of the participants' events names it at the end.
  const atMs = typeof at === 'number' && Number.isFinite(at) ? Math.round(at * 1000) : 0
  const recording = identifierAt(payload, 'data', 'recording', 'id') ?? '0'
  const id = `${recording}:${identifierAt(event, 'participant', 'id') ?? 'unknown'}:${atMs}`
  const chat = chatOf({ id, from: valueAt(event, 'participant', 'name'), text: valueAt(event, 'data', 'text') })
  return { kind: 'bot.hint', vendor: 'recall', externalId: bot, chat }
}

export function readAttendee(payload: Json): BotHint | IgnoredDelivery {
  const bot = identifierAt(payload, 'bot_id')
  if (bot === null) return ignored(unknown)
  const message = valueAt(payload, 'data')
  const id = identifierAt(message, 'id') ?? ''
  const chat = chatOf({ id, from: valueAt(message, 'sender_name'), text: valueAt(message, 'text') })
  return { kind: 'bot.hint', vendor: 'attendee', externalId: bot, chat }
}

export function readVexa(payload: Json): BotHint | IgnoredDelivery {
  const meeting = identifierAt(payload, 'data', 'meeting', 'id')
  return meeting === null ? ignored(unknown) : { kind: 'bot.hint', vendor: 'vexa', externalId: meeting, chat: null }
}

/** Only what decides something: the other words of the chat come with the transcript. */
function chatOf({ id, from, text }: { id: string; from: Json | undefined; text: Json | undefined }): BotHint['chat'] {
  if (typeof text !== 'string' || !decisionText.test(text) || id === '') return null
  const name = typeof from === 'string' ? from.replaceAll('\0', '').slice(0, 200).toWellFormed().trim() : ''
  return { id, from: name || 'Somebody', text: text.trimStart().slice(0, 20).replaceAll('\0', '').toWellFormed() }
}
