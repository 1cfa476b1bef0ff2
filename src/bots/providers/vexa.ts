import { failureDetail, idAt, listAt, numberAt, textAt, timeAt } from './answer-values.ts'
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
import { vexaReason } from './vexa.reasons.ts'

// docs/docs/api/meetings.mdx of Vexa-ai/vexa at 03707cc, read 2026-11-24. A bot is addressed by its room, of which an
// account has one at a time; there are neither keys of orders nor messages that a bot could write.

const platformNames: Record<string, string> = { meet: 'google_meet', zoom: 'zoom', teams: 'teams', jitsi: 'jitsi' }
/** Their clock and ours may differ by as much. */
const skewMs = 60_000

export const vexa: VendorAdapter = {
  name: 'vexa',
  title: 'Vexa',
  platforms: ['zoom', 'meet', 'teams', 'jitsi'],
  regions: null,
  baseUrl: 'https://api.cloud.vexa.ai',
  authorization: (apiKey) => ({ 'x-api-key': apiKey }),
  isHeardLive: true,
  canChat: false,
  create,
  find,
  getState,
  lines,
  leave,
  say: async () => false,
  erase: async (ask, id) => void (await ask({ method: 'DELETE', path: `/meetings/${id}` })),
}

/** The room as the vendor names it. https://docs.vexa.ai/api/meetings#platforms */
function nativeRoom({ platform, room }: Pick<VendorSearch, 'platform' | 'room'>): { platform: string; id: string } {
  const name = platformNames[platform] ?? platform
  if (platform !== 'jitsi') return { platform: name, id: room }
  const slash = room.indexOf('/')
  const [host, id] = [room.slice(0, slash), room.slice(slash + 1)]
  return { platform: name, id: host === 'meet.jit.si' ? id : `${id}@${host}` }
}

async function create(ask: AskVendor, order: VendorOrder): Promise<Created> {
  const { platform, id: native } = nativeRoom(order)
  const body = {
    platform,
    native_meeting_id: native,
    meeting_url: order.link,
    bot_name: order.displayName,
    transcribe_enabled: true,
    recording_enabled: false,
  }
  const answer = await ask({ method: 'POST', path: '/bots', body })
  const id = idAt(answer.body, 'id')
  if (answer.status < 300) return id === null ? { kind: 'unknown' } : { kind: 'created', id }
  if (answer.status === 409) return { kind: 'exists' }
  if (answer.status === 429) return { kind: 'busy', retryAfterMs: answer.retryAfterMs }
  const detail = failureDetail(answer.status, answer.body)
  // 403 is also the limit of bots at the same time, and 503 a missing transcription service.
  if (answer.status === 403 && /concurren/i.test(detail)) return { kind: 'busy', retryAfterMs: answer.retryAfterMs }
  if (answer.status === 503 && /transcription/i.test(detail)) return { kind: 'refused', detail }
  return answer.status >= 500 ? { kind: 'unknown' } : { kind: 'refused', detail }
}

/** One that is not over in the same room, and that did not exist before it was asked for. */
async function find(ask: AskVendor, order: VendorSearch): Promise<string | null> {
  const native = nativeRoom(order)
  const { body } = await ask({ method: 'GET', path: '/meetings?exclude_planned=true' })
  const found = listAt(body, 'meetings').find((meeting) => {
    const createdAt = timeAt(meeting, 'created_at')
    return (
      textAt(meeting, 'platform') === native.platform &&
      textAt(meeting, 'native_meeting_id') === native.id &&
      !isOver(textAt(meeting, 'status')) &&
      createdAt !== null &&
      createdAt.getTime() >= order.askedAt.getTime() - skewMs
    )
  })
  return found === undefined ? null : idAt(found, 'id')
}

const isOver = (status: string | null) => status === 'completed' || status === 'failed'

async function getState(ask: AskVendor, id: string): Promise<VendorState> {
  const state = stateOf(await ask({ method: 'GET', path: `/meetings/${id}` }))
  if (state.status !== 'over') return state
  // What was erased can no longer be read, and only the bare record of the meeting is left.
  const { status } = await ask({ method: 'GET', path: `/transcripts/by-id/${id}` })
  return { ...state, isErased: status === 404 }
}

function stateOf({ status, body }: VendorAnswer): VendorState {
  if (status === 404) return { status: 'unknown' }
  const word = textAt(body, 'status')
  const admittedAt = timeAt(body, 'start_time')
  if (isOver(word)) {
    const reason = textAt(body, 'data', 'completion_reason')
    const stage = textAt(body, 'data', 'failure_stage')
    return {
      status: 'over',
      at: timeAt(body, 'end_time'),
      admittedAt,
      reason: vexaReason(reason, { stage, wasAdmitted: admittedAt !== null }),
      detail: reason ?? word,
      isReady: true,
      isErased: false,
    }
  }
  if (word === 'active' || word === 'stopping')
    return admittedAt === null ? { status: 'joining', at: null } : { status: 'in_meeting', at: admittedAt }
  return { status: word === 'awaiting_admission' ? 'waiting_room' : 'joining', at: null }
}

async function lines(ask: AskVendor, id: string, admittedAt: Date): Promise<VendorLine[] | null> {
  const { status, body } = await ask({ method: 'GET', path: `/transcripts/by-id/${id}` })
  if (status === 404) return []
  if (status !== 200) return null
  return listAt(body, 'segments').flatMap((segment): VendorLine[] => {
    const segmentId = textAt(segment, 'segment_id')
    const text = textAt(segment, 'text')?.trim() ?? ''
    if (segmentId === null || text === '') return []
    const at = timeAt(segment, 'absolute_start_time')
    const offsetMs =
      at === null ? Math.round((numberAt(segment, 'start') ?? 0) * 1000) : at.getTime() - admittedAt.getTime()
    const kind = textAt(segment, 'source') === 'chat' ? 'chat' : 'speech'
    return [{ id: segmentId, speaker: textAt(segment, 'speaker') ?? '', text, offsetMs, kind }]
  })
}

/** By its room, so only while the meeting of this id is the one that runs there. */
async function leave(ask: AskVendor, id: string): Promise<void> {
  const { status, body } = await ask({ method: 'GET', path: `/meetings/${id}` })
  const platform = idAt(body, 'platform')
  const native = textAt(body, 'native_meeting_id')
  if (status !== 200 || platform === null || native === null || isOver(textAt(body, 'status'))) return
  await ask({ method: 'DELETE', path: `/bots/${platform}/${encodeURIComponent(native)}` })
}
