import { failureDetail, idAt, listAt, numberAt, textAt, timeAt, valueAt } from './answer-values.ts'
import { type AttendeeEvent, attendeeReason } from './attendee.reasons.ts'
import type {
  AskVendor,
  Created,
  VendorAdapter,
  VendorAnswer,
  VendorLine,
  VendorOrder,
  VendorSearch,
  VendorState,
} from './vendor.ts'

// https://docs.attendee.dev, and docs/openapi.yml of attendee-labs/attendee at 00c72a9, read 2026-11-24.

const base = '/api/v1/bots'
/** Of the chat: as many pages of the vendor. */
const pagesMax = 50

export const attendee: VendorAdapter = {
  name: 'attendee',
  title: 'Attendee',
  platforms: ['zoom', 'meet', 'teams'],
  regions: null,
  baseUrl: 'https://app.attendee.dev',
  authorization: (apiKey) => ({ authorization: `Token ${apiKey}` }),
  isHeardLive: true,
  canChat: true,
  create,
  find,
  getState: async (ask, id) => stateOf(await ask({ method: 'GET', path: `${base}/${id}` })),
  lines,
  leave: async (ask, id) => void (await ask({ method: 'POST', path: `${base}/${id}/leave`, body: {} })),
  say: async (ask, id, text) => {
    const body = { to: 'everyone', message: text }
    return (await ask({ method: 'POST', path: `${base}/${id}/send_chat_message`, body })).status < 300
  },
  erase: async (ask, id) => void (await ask({ method: 'POST', path: `${base}/${id}/delete_data`, body: {} })),
}

async function create(ask: AskVendor, order: VendorOrder): Promise<Created> {
  const { autoLeave, hookUrl } = order
  const body = {
    meeting_url: order.link,
    bot_name: order.displayName,
    // One bot that is not over can have a key.
    deduplication_key: order.key,
    bot_chat_message: { to: 'everyone', message: order.notice },
    recording_settings: { format: 'none' },
    automatic_leave_settings: {
      waiting_room_timeout_seconds: autoLeave.waitingRoomSeconds,
      wait_for_host_to_start_meeting_timeout_seconds: autoLeave.nobodyCameSeconds,
      only_participant_in_meeting_timeout_seconds: autoLeave.aloneSeconds,
      silence_timeout_seconds: autoLeave.silenceSeconds,
      silence_activate_after_seconds: autoLeave.silenceAfterSeconds,
      max_uptime_seconds: autoLeave.maxSeconds,
    },
    // The vendor takes only https.
    ...(hookUrl?.startsWith('https:')
      ? { webhooks: [{ url: hookUrl, triggers: ['bot.state_change', 'chat_messages.update'] }] }
      : {}),
  }
  const answer = await ask({ method: 'POST', path: base, body })
  const id = idAt(answer.body, 'id')
  if (answer.status < 300) return id === null ? { kind: 'unknown' } : { kind: 'created', id }
  if (answer.status === 429) return { kind: 'busy', retryAfterMs: answer.retryAfterMs }
  if (answer.status >= 500) return { kind: 'unknown' }
  const detail = failureDetail(answer.status, answer.body)
  return /deduplication key/i.test(detail) ? { kind: 'exists' } : { kind: 'refused', detail }
}

async function find(ask: AskVendor, { key }: VendorSearch): Promise<string | null> {
  const { body } = await ask({ method: 'GET', path: `${base}?deduplication_key=${key}` })
  const found = listAt(body, 'results').find((bot) => (textAt(bot, 'deduplication_key') ?? key) === key)
  return found === undefined ? null : idAt(found, 'id')
}

const overStates = ['post_processing', 'ended', 'fatal_error', 'data_deleted']

function stateOf({ status, body }: VendorAnswer): VendorState {
  if (status === 404) return { status: 'unknown' }
  const state = textAt(body, 'state') ?? ''
  const events = listAt(body, 'events')
    .map(
      (event): AttendeeEvent => ({
        type: textAt(event, 'type') ?? '',
        subType: textAt(event, 'sub_type'),
        at: timeAt(event, 'created_at'),
        isRemoval: valueAt(event, 'metadata', 'bot_removed_by') !== undefined,
      }),
    )
    .sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))
  const timeOf = (...types: string[]) => events.find(({ type }) => types.includes(type))?.at ?? null
  const admittedAt = timeOf('joined_meeting')
  if (overStates.includes(state)) {
    const { reason, detail } = attendeeReason(events, admittedAt !== null)
    return {
      status: 'over',
      at: timeOf('left_meeting', 'meeting_ended', 'could_not_join_meeting', 'fatal_error'),
      admittedAt,
      reason,
      detail,
      isReady: state !== 'post_processing',
      isErased: state === 'data_deleted',
    }
  }
  if (state === 'waiting_room') return { status: 'waiting_room', at: timeOf('put_in_waiting_room') }
  if (admittedAt !== null || /^joined_|breakout_room|^leaving$/.test(state))
    return { status: 'in_meeting', at: admittedAt }
  return { status: 'joining', at: timeOf('join_requested') }
}

async function lines(ask: AskVendor, id: string, admittedAt: Date): Promise<VendorLine[] | null> {
  const { status, body } = await ask({ method: 'GET', path: `${base}/${id}/transcript` })
  if (status !== 200 || !Array.isArray(body)) return null
  const chat = await chatOf(ask, id, admittedAt)
  return chat && [...body.flatMap((utterance) => speech(utterance, admittedAt)), ...chat]
}

function speech(utterance: unknown, admittedAt: Date): VendorLine[] {
  const text = textAt(utterance, 'transcription', 'transcript')?.trim() ?? ''
  const atMs = numberAt(utterance, 'timestamp_ms')
  if (text === '' || atMs === null) return []
  const speaker = textAt(utterance, 'speaker_name') ?? ''
  const id = `${textAt(utterance, 'speaker_uuid') ?? 'unknown'}:${atMs}`
  return [{ id, speaker, text, offsetMs: atMs - admittedAt.getTime(), kind: 'speech' }]
}

async function chatOf(ask: AskVendor, id: string, admittedAt: Date): Promise<VendorLine[] | null> {
  const found: VendorLine[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await ask({ method: 'GET', path: `${base}/${id}/chat_messages${query}` })
    if (status !== 200) return null
    for (const message of listAt(body, 'results')) {
      const text = textAt(message, 'text')
      const messageId = idAt(message, 'id')
      const seconds = numberAt(message, 'timestamp')
      if (text === null || messageId === null || seconds === null) continue
      const offsetMs = (numberAt(message, 'timestamp_ms') ?? seconds * 1000) - admittedAt.getTime()
      found.push({ id: messageId, speaker: textAt(message, 'sender_name') ?? '', text, offsetMs, kind: 'chat' })
    }
    const next = textAt(body, 'next')
    cursor = next !== null && URL.canParse(next) ? new URL(next).searchParams.get('cursor') : null
    if (cursor === null) break
  }
  return found
}
