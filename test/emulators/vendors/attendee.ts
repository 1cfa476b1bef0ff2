import { createHmac } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply } from '../call.ts'
import { meetingRooms, type Outcome, type RoomBot } from './meeting-rooms.ts'
import { isIndexed, keyed, type VendorEmulator, type VendorWorld } from './vendor-emulator.ts'

// https://docs.attendee.dev, and docs/openapi.yml and docs/webhooks.md of attendee-labs/attendee, read 2026-11-24.

const base = 'app.attendee.dev/api/v1/bots'
/** After the meeting the bot is in `post_processing`. */
const processingSeconds = 3
const chatPage = 2

const endings: Record<Outcome, { type: string; sub_type: string | null; metadata?: object }[]> = {
  meeting_ended: [{ type: 'meeting_ended', sub_type: null }],
  alone: [{ type: 'leave_requested', sub_type: 'auto_leave_only_participant_in_meeting' }],
  silence: [{ type: 'leave_requested', sub_type: 'auto_leave_silence' }],
  not_admitted: [{ type: 'could_not_join_meeting', sub_type: 'waiting_room_timeout_exceeded' }],
  denied: [{ type: 'could_not_join_meeting', sub_type: 'request_to_join_denied' }],
  removed: [{ type: 'meeting_ended', sub_type: null, metadata: { bot_removed_by: { name: 'Ada' } } }],
  asked: [{ type: 'leave_requested', sub_type: 'user_requested' }],
  not_found: [{ type: 'could_not_join_meeting', sub_type: 'meeting_not_found' }],
  login: [{ type: 'could_not_join_meeting', sub_type: 'login_required' }],
  error: [{ type: 'fatal_error', sub_type: 'heartbeat_timeout' }],
}

export function attendeeEmulator(world: VendorWorld): VendorEmulator {
  const { clock } = world
  const rooms = meetingRooms(clock, (bot, change) => {
    if (change.kind === 'stage') send(bot, 'bot.state_change', { new_state: stateOf(bot), created_at: clock.now() })
    else send(bot, 'chat_messages.update', messageView(change.said))
  })

  function send(bot: RoomBot, trigger: string, data: object): void {
    if (world.hook === null) return
    const { url, secret } = world.hook
    const idempotency_key = `00000000-0000-4000-8000-${String(world.next()).padStart(12, '0')}`
    const payload = { bot_id: bot.id, bot_metadata: null, data, idempotency_key, trigger }
    // Signed over sorted names; sent in another order, as the documentation allows.
    const { trigger: first, ...rest } = JSON.parse(JSON.stringify(payload))
    const body = JSON.stringify({ trigger: first, ...rest })
    const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(sorted(payload)).digest('base64')
    const headers = { 'content-type': 'application/json', 'x-webhook-signature': signature }
    world.deliver({ url, about: bot.id, sign: () => ({ headers, body }) })
  }

  function stateOf(bot: RoomBot): string {
    if (bot.isErased) return 'data_deleted'
    if (rooms.isOver(bot)) {
      if (bot.joinedAt === null || bot.outcome === 'error') return 'fatal_error'
      const isDone = clock.now().getTime() >= (bot.leftAt ?? clock.now()).getTime() + processingSeconds * 1000
      return isDone ? 'ended' : 'post_processing'
    }
    return {
      joining: 'joining',
      waiting: 'waiting_room',
      inside: 'joined_recording',
      leaving: 'leaving',
      over: 'ended',
    }[bot.stage]
  }

  const shown = (bot: RoomBot) => ({
    id: bot.id,
    meeting_url: bot.link,
    state: stateOf(bot),
    deduplication_key: bot.key,
    events: eventsOf(bot),
  })

  const refused = { status: 401, body: { detail: 'Invalid or disabled API key' } }
  const api = keyed('authorization', () => `Token ${world.apiKey}`, refused)
  const one = (handle: (bot: RoomBot, call: Call) => Reply) =>
    api((call) => {
      const bot = rooms.bots.find(({ id }) => id === call.params['bot'])
      return bot === undefined ? { status: 404, body: { error: 'Bot not found' } } : handle(bot, call)
    })
  const invalid = (error: string) => ({ status: 400, body: { error } })

  return {
    name: 'attendee',
    rooms,
    routes: {
      [`POST ${base}`]: api((call) => {
        const body = jsonOf(call)
        const key = (body['deduplication_key'] as string | undefined) ?? null
        if (key !== null && rooms.bots.some((bot) => bot.key === key && !rooms.isOver(bot)))
          return invalid(
            'Deduplication key already in use. A bot in a non-terminal state with this deduplication key already exists.',
          )
        const notice = (body['bot_chat_message'] as { message?: string } | undefined)?.message ?? null
        const bot = rooms.add({
          id: `bot_${world.next()}`,
          link: String(body['meeting_url']),
          name: String(body['bot_name']),
          key,
          notice,
          hookUrl: null,
        })
        return { status: 201, body: shown(bot) }
      }),
      [`GET ${base}`]: api(({ query }) => {
        const key = query.get('deduplication_key')
        const found = rooms.bots.filter((bot) => isIndexed(bot, clock) && (key === null || bot.key === key))
        return ok({ next: null, previous: null, results: found.map(shown) })
      }),
      [`GET ${base}/:bot`]: one((bot) => ok(shown(bot))),
      [`POST ${base}/:bot/leave`]: one((bot) => {
        if (rooms.isOver(bot)) return invalid('Bot is not in a valid state to leave the meeting')
        rooms.askToLeave(bot)
        return ok(shown(bot))
      }),
      [`POST ${base}/:bot/delete_data`]: one((bot) => {
        if (!['ended', 'fatal_error'].includes(stateOf(bot)))
          return invalid('Bot is not in a valid state for data deletion')
        bot.isErased = true
        bot.speech = []
        bot.chat = []
        return ok(shown(bot))
      }),
      [`POST ${base}/:bot/send_chat_message`]: one((bot, call) => {
        if (bot.stage !== 'inside') return invalid('Bot is not in a valid state to send a chat message')
        rooms.write(bot.id, { speaker: bot.name, text: String(jsonOf(call)['message']) })
        return ok({})
      }),
      [`GET ${base}/:bot/transcript`]: one((bot) =>
        ok(
          bot.speech.map(({ id, speaker, text, at }) => ({
            speaker_name: speaker,
            speaker_uuid: `${speaker}-${id}`,
            timestamp_ms: at.getTime(),
            duration_ms: 900,
            transcription: { transcript: text },
          })),
        ),
      ),
      [`GET ${base}/:bot/chat_messages`]: one((bot, { query }) => {
        const from = Number(query.get('cursor') ?? 0)
        const results = bot.chat.slice(from, from + chatPage).map(messageView)
        const hasMore = bot.chat.length > from + chatPage
        return ok({
          next: hasMore ? `https://${base}/${bot.id}/chat_messages?cursor=${from + chatPage}` : null,
          results,
        })
      }),
    },
  }
}

function messageView({ id, speaker, text, at }: RoomBot['chat'][number]) {
  return {
    id,
    text,
    to: 'everyone',
    timestamp: Math.floor(at.getTime() / 1000),
    timestamp_ms: at.getTime(),
    sender_name: speaker,
  }
}

function eventsOf(bot: RoomBot) {
  const { createdAt, waitedAt, joinedAt, leftAt, outcome } = bot
  return [
    { type: 'join_requested', sub_type: null, created_at: createdAt },
    ...(waitedAt === null ? [] : [{ type: 'put_in_waiting_room', sub_type: null, created_at: waitedAt }]),
    ...(joinedAt === null ? [] : [{ type: 'joined_meeting', sub_type: null, created_at: joinedAt }]),
    ...(outcome === null ? [] : endings[outcome].map((event) => ({ ...event, created_at: leftAt }))),
    ...(leftAt === null || joinedAt === null ? [] : [{ type: 'left_meeting', sub_type: null, created_at: leftAt }]),
  ]
}

function sorted(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join(',')}}`
}
