import { failureDetail, idAt, listAt, numberAt, textAt, timeAt, valueAt } from './answer-values.ts'
import { recallReason } from './recall.reasons.ts'
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

// https://docs.recall.ai/reference, version 1.11, read 2026-11-24. Bots record nothing but the transcript and the events
// of participants, among them the chat. What was said can be read once the meeting is over; the chat comes by webhooks, too.

const base = '/api/v1/bot/'
const orderName = 'atrium_order'
/** The vendor deletes by itself what we could not. */
const retentionHours = 168

export const recall: VendorAdapter = {
  name: 'recall',
  title: 'Recall.ai',
  platforms: ['zoom', 'meet', 'teams'],
  // https://docs.recall.ai/docs/regions. Each is an installation of its own, with keys of its own.
  regions: Object.fromEntries(
    ['us-east-1', 'us-west-2', 'eu-central-1', 'ap-northeast-1'].map((region) => [
      region,
      `https://${region}.recall.ai`,
    ]),
  ),
  baseUrl: null,
  authorization: (apiKey) => ({ authorization: `Token ${apiKey}` }),
  isHeardLive: false,
  canChat: true,
  create,
  find,
  getState: async (ask, id) => stateOf(await ask({ method: 'GET', path: `${base}${id}/` })),
  lines,
  leave: async (ask, id) => void (await ask({ method: 'POST', path: `${base}${id}/leave_call/` })),
  say: async (ask, id, text) => {
    const body = { to: 'everyone', message: text }
    return (await ask({ method: 'POST', path: `${base}${id}/send_chat_message/`, body })).status < 300
  },
  erase: async (ask, id) => void (await ask({ method: 'POST', path: `${base}${id}/delete_media/` })),
}

async function create(ask: AskVendor, order: VendorOrder): Promise<Created> {
  const { autoLeave, hookUrl } = order
  const body = {
    meeting_url: order.link,
    bot_name: order.displayName,
    metadata: { [orderName]: order.key },
    chat: { on_bot_join: { send_to: 'everyone', message: order.notice } },
    recording_config: {
      transcript: { provider: { recallai_streaming: {} } },
      participant_events: {},
      video_mixed_mp4: null,
      retention: { type: 'timed', hours: retentionHours },
      realtime_endpoints:
        hookUrl === null ? [] : [{ type: 'webhook', url: hookUrl, events: ['participant_events.chat_message'] }],
    },
    automatic_leave: {
      waiting_room_timeout: autoLeave.waitingRoomSeconds,
      noone_joined_timeout: autoLeave.nobodyCameSeconds,
      everyone_left_timeout: { timeout: autoLeave.aloneSeconds },
      silence_detection: { timeout: autoLeave.silenceSeconds, activate_after: autoLeave.silenceAfterSeconds },
      in_call_recording_timeout: autoLeave.maxSeconds,
    },
  }
  // Within a day the same key gets the first answer again (https://docs.recall.ai/reference-link/idempotency).
  const headers = { 'idempotency-key': order.key }
  const answer = await ask({ method: 'POST', path: base, headers, body })
  const id = idAt(answer.body, 'id')
  if (answer.status < 300) return id === null ? { kind: 'unknown' } : { kind: 'created', id }
  // 507: no machine is free for a bot that joins at once; nothing was created.
  if (answer.status === 429 || answer.status === 507) return { kind: 'busy', retryAfterMs: answer.retryAfterMs }
  // 409: the first request with this key is still running.
  if (answer.status === 409 || answer.status >= 500) return { kind: 'unknown' }
  return { kind: 'refused', detail: failureDetail(answer.status, answer.body) }
}

async function find(ask: AskVendor, { key }: VendorSearch): Promise<string | null> {
  const answer = await ask({ method: 'GET', path: `${base}?metadata__${orderName}=${key}` })
  const found = listAt(answer.body, 'results').find((bot) => textAt(bot, 'metadata', orderName) === key)
  return found === undefined ? null : idAt(found, 'id')
}

type Change = { code: string; subCode: string | null; at: Date | null }

const inCall = ['in_call_not_recording', 'recording_permission_allowed', 'in_call_recording']
const overCodes = ['call_ended', 'recording_done', 'done', 'fatal', 'media_expired', 'analysis_done', 'analysis_failed']

function stateOf({ status, body }: VendorAnswer): VendorState {
  if (status === 404) return { status: 'unknown' }
  const changes = listAt(body, 'status_changes')
    .map(
      (change): Change => ({
        code: textAt(change, 'code') ?? '',
        subCode: textAt(change, 'sub_code'),
        at: timeAt(change, 'created_at'),
      }),
    )
    .sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))
  const first = (codes: string[]) => changes.find(({ code }) => codes.includes(code))
  const admission = first(inCall)
  const over = first(['call_ended', 'fatal']) ?? first(overCodes)
  if (over !== undefined) {
    const recordings = listAt(body, 'recordings')
    const hasEnded = first(['done', 'fatal', 'media_expired']) !== undefined
    return {
      status: 'over',
      at: over.at,
      admittedAt: admission?.at ?? null,
      reason: recallReason(over, { isFatal: over.code === 'fatal', wasAdmitted: admission !== undefined }),
      detail: over.subCode ?? over.code,
      isReady: hasEnded && recordings.every(isComplete),
      isErased: hasEnded && recordings.every((recording) => valueAt(recording, 'media_shortcuts') == null),
    }
  }
  if (admission !== undefined) return { status: 'in_meeting', at: admission.at }
  const waiting = first(['in_waiting_room'])
  return waiting === undefined
    ? { status: 'joining', at: changes[0]?.at ?? null }
    : { status: 'waiting_room', at: waiting.at }
}

/** Failed media will never come. */
function isComplete(recording: unknown): boolean {
  return ['transcript', 'participant_events'].every((name) => {
    const code = textAt(recording, 'media_shortcuts', name, 'status', 'code')
    return code === null || code === 'done' || code === 'failed' || code === 'deleted'
  })
}

/** The files of all recordings of the bot: there is another one for each time it was let in. */
async function lines(ask: AskVendor, id: string, admittedAt: Date): Promise<VendorLine[] | null> {
  const { status, body } = await ask({ method: 'GET', path: `${base}${id}/` })
  if (status !== 200) return null
  const found: VendorLine[] = []
  for (const recording of listAt(body, 'recordings')) {
    const shiftMs = (timeAt(recording, 'started_at') ?? admittedAt).getTime() - admittedAt.getTime()
    const transcript = await file(ask, textAt(recording, 'media_shortcuts', 'transcript', 'data', 'download_url'))
    const at = ['media_shortcuts', 'participant_events', 'data', 'participant_events_download_url']
    const events = await file(ask, textAt(recording, ...at))
    if (transcript === undefined || events === undefined) return null
    const prefix = idAt(recording, 'id') ?? String(found.length)
    found.push(...speech(transcript, { prefix, shiftMs }), ...chat(events, { prefix, shiftMs }))
  }
  return found
}

/** Undefined: it could not be read. An empty list where there is no such file. */
async function file(ask: AskVendor, url: string | null): Promise<unknown[] | undefined> {
  if (url === null) return []
  const { status, body } = await ask({ method: 'GET', path: url })
  return status === 200 && Array.isArray(body) ? body : undefined
}

type Recorded = { prefix: string; shiftMs: number }

const offset = (entry: unknown, ...path: string[]) => Math.round((numberAt(entry, ...path) ?? 0) * 1000)

function speech(transcript: unknown[], { prefix, shiftMs }: Recorded): VendorLine[] {
  return transcript.flatMap((entry) => {
    const words = listAt(entry, 'words')
    const text = words
      .map((word) => textAt(word, 'text') ?? '')
      .join(' ')
      .trim()
    if (text === '') return []
    const startMs = offset(words[0], 'start_timestamp', 'relative')
    const participant = idAt(entry, 'participant', 'id') ?? 'unknown'
    return [
      {
        id: `${prefix}:${participant}:${startMs}`,
        speaker: textAt(entry, 'participant', 'name') ?? '',
        text,
        offsetMs: shiftMs + startMs,
        kind: 'speech',
      },
    ]
  })
}

function chat(events: unknown[], { prefix, shiftMs }: Recorded): VendorLine[] {
  return events.flatMap((event) => {
    const text = textAt(event, 'data', 'text')
    if (textAt(event, 'action') !== 'chat_message' || text === null) return []
    const participant = idAt(event, 'participant', 'id') ?? 'unknown'
    const atMs = offset(event, 'timestamp', 'relative')
    const speaker = textAt(event, 'participant', 'name') ?? ''
    return [{ id: `${prefix}:${participant}:${atMs}`, speaker, text, offsetMs: shiftMs + atMs, kind: 'chat' }]
  })
}
