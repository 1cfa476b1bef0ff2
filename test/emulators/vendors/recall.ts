import { createHmac } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply } from '../call.ts'
import { meetingRooms, type Outcome, type RoomBot, type Said } from './meeting-rooms.ts'
import { isIndexed, keyed, type VendorEmulator, type VendorWorld } from './vendor-emulator.ts'

// https://docs.recall.ai/reference, read 2026-11-24.

const host = 'eu-central-1.recall.ai'
const files = 'files.eu-central-1.recall.ai'
/** Media are there only some time after the call. */
const mediaLagSeconds = 4

const subCodes: Record<Outcome, [code: string, subCode: string]> = {
  meeting_ended: ['call_ended', 'call_ended_by_host'],
  alone: ['call_ended', 'timeout_exceeded_everyone_left'],
  silence: ['call_ended', 'timeout_exceeded_silence_detected'],
  not_admitted: ['call_ended', 'timeout_exceeded_waiting_room'],
  denied: ['call_ended', 'bot_kicked_from_waiting_room'],
  removed: ['call_ended', 'bot_kicked_from_call'],
  asked: ['call_ended', 'bot_received_leave_call'],
  not_found: ['fatal', 'meeting_not_found'],
  login: ['fatal', 'meeting_requires_sign_in'],
  error: ['fatal', 'bot_errored'],
}

export function recallEmulator(world: VendorWorld): VendorEmulator {
  const { clock } = world
  const answers = new Map<string, Reply>()
  const rooms = meetingRooms(clock, (bot, change) => {
    if (change.kind === 'chat') {
      if (bot.hookUrl !== null) send(bot.hookUrl, bot, 'participant_events.chat_message', chatEvent(bot, change.said))
      return
    }
    const { code, sub_code } = changesOf(bot).at(-1) ?? { code: 'ready', sub_code: null }
    if (world.hook !== null) send(world.hook.url, bot, `bot.${code}`, { data: { code, sub_code } })
  })

  function send(url: string, bot: RoomBot, event: string, data: object): void {
    const id = `msg_${world.next()}`
    const body = JSON.stringify({ event, data: { ...data, bot: { id: bot.id, metadata: metadataOf(bot) } } })
    const secret = Buffer.from(world.hook?.secret.replace(/^whsec_/, '') ?? '', 'base64')
    world.deliver({
      url,
      about: bot.id,
      sign: (now) => {
        const timestamp = String(Math.floor(now.getTime() / 1000))
        const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
        const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
        return { headers: { 'content-type': 'application/json', ...headers }, body }
      },
    })
  }

  const isMediaReady = (bot: RoomBot) =>
    bot.leftAt !== null && clock.now().getTime() >= bot.leftAt.getTime() + mediaLagSeconds * 1000

  function shown(bot: RoomBot) {
    const isOver = rooms.isOver(bot)
    const done = isOver && isMediaReady(bot) && bot.outcome !== null && subCodes[bot.outcome][0] !== 'fatal'
    const changes = [...changesOf(bot), ...(done ? [{ code: 'done', sub_code: null, created_at: bot.leftAt }] : [])]
    return { id: bot.id, metadata: metadataOf(bot), status_changes: changes.reverse(), recordings: recordingsOf(bot) }
  }

  function recordingsOf(bot: RoomBot) {
    if (bot.joinedAt === null || bot.isErased) return []
    const isReady = rooms.isOver(bot) && isMediaReady(bot)
    const status = { code: isReady ? 'done' : 'processing' }
    const url = (name: string) => (isReady ? `https://${files}/${bot.id}/${name}.json` : null)
    const events = { status, data: { participant_events_download_url: url('events') } }
    const transcript = { status, data: { download_url: url('transcript') } }
    return [
      { id: `rec-${bot.id}`, started_at: bot.joinedAt, media_shortcuts: { transcript, participant_events: events } },
    ]
  }

  const api = keyed('authorization', () => `Token ${world.apiKey}`, {
    status: 401,
    body: { detail: 'Invalid API token' },
  })
  const one = (handle: (bot: RoomBot, call: Call) => Reply) =>
    api((call) => {
      const bot = rooms.bots.find(({ id }) => id === call.params['bot'])
      return bot === undefined ? { status: 404, body: { detail: 'Not found.' } } : handle(bot, call)
    })
  const file = (make: (bot: RoomBot) => unknown) => (call: Call) => {
    const bot = rooms.bots.find(({ id }) => id === call.params['bot'])
    const isRefused = bot === undefined || bot.isErased || call.headers.authorization !== undefined
    return isRefused ? { status: 403, body: '<Error/>' } : ok(make(bot))
  }

  return {
    name: 'recall',
    rooms,
    routes: {
      [`POST ${host}/api/v1/bot/`]: api((call) => {
        const key = String(call.headers['idempotency-key'] ?? world.next())
        const before = answers.get(key)
        if (before !== undefined) return before
        const body = jsonOf(call) as Record<string, Record<string, unknown>>
        const realtime = (body['recording_config']?.['realtime_endpoints'] as { url: string }[] | undefined)?.[0]
        const bot = rooms.add({
          id: `recall-${world.next()}`,
          link: String(body['meeting_url']),
          name: String(body['bot_name']),
          key: (body['metadata']?.['atrium_order'] as string | undefined) ?? null,
          notice: (body['chat']?.['on_bot_join'] as { message?: string } | undefined)?.message ?? null,
          hookUrl: realtime?.url ?? null,
        })
        const answer = { status: 201, body: shown(bot) }
        answers.set(key, answer)
        return answer
      }),
      [`GET ${host}/api/v1/bot/`]: api(({ query }) => {
        const key = query.get('metadata__atrium_order')
        const found = rooms.bots.filter((bot) => isIndexed(bot, clock) && (key === null || bot.key === key))
        return ok({ next: null, previous: null, results: found.map(shown) })
      }),
      [`GET ${host}/api/v1/bot/:bot/`]: one((bot) => ok(shown(bot))),
      [`POST ${host}/api/v1/bot/:bot/leave_call/`]: one((bot) => {
        if (rooms.isOver(bot)) return { status: 400, body: { code: 'cannot_command_completed_bot' } }
        rooms.askToLeave(bot)
        return ok(shown(bot))
      }),
      [`POST ${host}/api/v1/bot/:bot/send_chat_message/`]: one((bot, call) => {
        if (bot.stage !== 'inside') return { status: 400, body: { code: 'cannot_command_unstarted_bot' } }
        rooms.write(bot.id, { speaker: bot.name, text: String(jsonOf(call)['message']) })
        return ok(shown(bot))
      }),
      [`POST ${host}/api/v1/bot/:bot/delete_media/`]: one((bot) => {
        if (!rooms.isOver(bot)) return { status: 400, body: { code: 'cannot_delete_media_of_running_bot' } }
        bot.isErased = true
        return ok(shown(bot))
      }),
      [`GET ${files}/:bot/transcript.json`]: file((bot) => bot.speech.map((said) => utterance(bot, said))),
      [`GET ${files}/:bot/events.json`]: file((bot) => bot.chat.map((said) => chatEvent(bot, said).data)),
    },
  }
}

const metadataOf = ({ key }: RoomBot) => (key === null ? {} : { atrium_order: key })

function changesOf(bot: RoomBot) {
  const { outcome, leftAt, waitedAt, joinedAt, createdAt } = bot
  const [code, subCode] = outcome === null ? ['', ''] : subCodes[outcome]
  return [
    { code: 'joining_call', sub_code: null, created_at: createdAt },
    ...(waitedAt === null ? [] : [{ code: 'in_waiting_room', sub_code: null, created_at: waitedAt }]),
    ...(joinedAt === null ? [] : [{ code: 'in_call_not_recording', sub_code: null, created_at: joinedAt }]),
    ...(leftAt === null ? [] : [{ code, sub_code: subCode, created_at: leftAt }]),
  ]
}

const participant = (name: string) => ({
  id: [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0),
  name,
  is_host: false,
})

function seconds(bot: RoomBot, at: Date): number {
  return (at.getTime() - (bot.joinedAt ?? at).getTime()) / 1000
}

function utterance(bot: RoomBot, { speaker, text, at }: Said) {
  const stamp = { relative: seconds(bot, at), absolute: at }
  const words = text.split(' ').map((word) => ({ text: word, start_timestamp: stamp, end_timestamp: stamp }))
  return { participant: participant(speaker), words }
}

function chatEvent(bot: RoomBot, { speaker, text, at }: Said) {
  const timestamp = { relative: seconds(bot, at), absolute: at }
  const data = { participant: participant(speaker), action: 'chat_message', timestamp, data: { text, to: 'everyone' } }
  return { data, recording: { id: `rec-${bot.id}` } }
}
