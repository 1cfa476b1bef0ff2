import { createHmac } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply } from '../call.ts'
import { meetingRooms, type Outcome, type RoomBot } from './meeting-rooms.ts'
import { isIndexed, keyed, type VendorEmulator, type VendorWorld } from './vendor-emulator.ts'

// docs/docs/api/meetings.mdx and docs/docs/webhooks.mdx of Vexa-ai/vexa, read 2026-11-24.

const host = 'api.cloud.vexa.ai'

const reasons: Record<Outcome, { status: string; reason: string | null }> = {
  meeting_ended: { status: 'completed', reason: null },
  alone: { status: 'completed', reason: 'left_alone' },
  silence: { status: 'completed', reason: 'left_alone' },
  not_admitted: { status: 'failed', reason: 'awaiting_admission_timeout' },
  denied: { status: 'failed', reason: 'awaiting_admission_rejected' },
  removed: { status: 'completed', reason: 'evicted' },
  asked: { status: 'completed', reason: 'stopped' },
  not_found: { status: 'failed', reason: 'validation_error' },
  login: { status: 'failed', reason: 'auth_session_missing' },
  error: { status: 'failed', reason: 'join_failure' },
}
const words = { joining: 'joining', waiting: 'awaiting_admission', inside: 'active', leaving: 'stopping', over: '' }

export function vexaEmulator(world: VendorWorld): VendorEmulator {
  const { clock } = world
  const rooms = meetingRooms(clock, (bot, change) => {
    if (change.kind === 'chat' || world.hook === null) return
    const { url, secret } = world.hook
    const data = { meeting: { id: Number(bot.id), status: statusOf(bot) } }
    const body = JSON.stringify({
      event_id: `evt_${world.next()}`,
      event_type: 'meeting.status_change',
      created_at: clock.now(),
      data,
    })
    world.deliver({
      url,
      about: bot.id,
      sign: (now) => {
        const timestamp = String(Math.floor(now.getTime() / 1000))
        const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
        const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': `sha256=${signature}` }
        return { headers: { 'content-type': 'application/json', ...headers }, body }
      },
    })
  })

  function statusOf(bot: RoomBot): string {
    return rooms.isOver(bot) && bot.outcome !== null ? reasons[bot.outcome].status : words[bot.stage]
  }

  function shown(bot: RoomBot) {
    const [platform, native] = bot.key?.split(' ') ?? ['', '']
    const status = statusOf(bot)
    const isOver = status === 'completed' || status === 'failed'
    const stage = bot.waitedAt === null ? 'joining' : 'awaiting_admission'
    const data =
      bot.outcome === null || !isOver
        ? {}
        : { completion_reason: reasons[bot.outcome].reason, ...(bot.joinedAt === null ? { failure_stage: stage } : {}) }
    return {
      id: Number(bot.id),
      platform,
      native_meeting_id: native,
      status,
      created_at: bot.createdAt,
      start_time: bot.joinedAt,
      end_time: isOver ? bot.leftAt : null,
      data,
    }
  }

  const api = keyed('x-api-key', () => world.apiKey, { status: 401, body: { detail: 'Invalid API key' } })
  const one = (handle: (bot: RoomBot, call: Call) => Reply) =>
    api((call) => {
      const bot = rooms.bots.find(({ id }) => id === call.params['meeting'])
      return bot === undefined ? missing : handle(bot, call)
    })
  const missing = { status: 404, body: { detail: 'Meeting not found' } }
  const live = (key: string) => rooms.bots.find((bot) => bot.key === key && !rooms.isOver(bot))

  return {
    name: 'vexa',
    rooms,
    routes: {
      [`POST ${host}/bots`]: api((call) => {
        const body = jsonOf(call)
        const key = `${body['platform']} ${body['native_meeting_id']}`
        if (live(key) !== undefined)
          return { status: 409, body: { detail: 'An active or requested meeting already exists' } }
        const bot = rooms.add({
          id: String(world.next()),
          link: String(body['meeting_url']),
          name: String(body['bot_name']),
          key,
          notice: null,
          hookUrl: null,
        })
        return { status: 201, body: shown(bot) }
      }),
      [`GET ${host}/meetings`]: api(() =>
        ok({
          meetings: rooms.bots
            .filter((bot) => isIndexed(bot, clock))
            .map(shown)
            .reverse(),
        }),
      ),
      [`GET ${host}/meetings/:meeting`]: one((bot) => ok(shown(bot))),
      [`DELETE ${host}/meetings/:meeting`]: one((bot) => {
        if (!rooms.isOver(bot)) return { status: 409, body: { detail: 'The meeting is in flight' } }
        bot.isErased = true
        bot.speech = []
        return { status: 204 }
      }),
      [`DELETE ${host}/bots/:platform/:native`]: api(({ params }) => {
        const bot = live(`${params['platform']} ${params['native']}`)
        if (bot === undefined) return { status: 404, body: { detail: 'No active bot' } }
        rooms.askToLeave(bot)
        return ok({ status: 'stopping', meeting_id: Number(bot.id), also_stopped: [], cancelled: [] })
      }),
      [`GET ${host}/transcripts/by-id/:meeting`]: one((bot) =>
        bot.isErased
          ? missing
          : ok({
              ...shown(bot),
              segments: bot.speech.map(({ id, speaker, text, at, isDraft }) => ({
                segment_id: `sess:${id}`,
                speaker,
                text,
                start: 0,
                absolute_start_time: at,
                completed: !isDraft,
              })),
            }),
      ),
    },
  }
}
