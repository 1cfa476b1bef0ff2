import { createHmac } from 'node:crypto'
import { type Call, formOf, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'
import { botUserId, slackOauth, team } from './slack-oauth.ts'

type Message = {
  type: 'message'
  user: string
  text: string
  ts: string
  thread_ts?: string
  bot_id?: string
  blocks?: unknown
  metadata?: { event_type: string; event_payload: Record<string, unknown> }
}

export type SlackChannel = { id: string; name: string; messages: Message[] }

const slackError = (error: string): Reply => ok({ ok: false, error })

/**
 * https://docs.slack.dev/reference/methods/chat.postMessage and conversations.history. Nothing makes a message only once; its
 * metadata can be read back with the history.
 */
export function slackMessages(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const channels = new Map<string, SlackChannel>()
  for (const [id, name] of [
    ['C0GENERAL', 'general'],
    ['C0SECOND', 'second'],
    // Conversations of the app with one person.
    ['D0ADA', 'ada'],
    ['D0BEN', 'ben'],
  ] as const)
    channels.set(id, { id, name, messages: [] })
  let eventsUrl: { url: string; secret: string } | null = null

  function post(channel: SlackChannel, fields: Omit<Message, 'ts' | 'type'>): Message {
    const seconds = Math.floor(world.clock.now().getTime() / 1000)
    const message: Message = { type: 'message', ts: `${seconds}.${String(world.next()).padStart(6, '0')}`, ...fields }
    channel.messages.push(message)
    return message
  }

  const withChannel = (perform: (channel: SlackChannel, input: Record<string, unknown>) => Reply) => (call: Call) => {
    const input = inputOf(call)
    const channel = channels.get(String(input['channel'] ?? ''))
    return channel === undefined ? slackError('channel_not_found') : perform(channel, input)
  }

  const postMessage = withChannel((channel, input) => {
    const text = String(input['text'] ?? '')
    const blocks = parsed(input['blocks'])
    if (text === '' && blocks === undefined) return slackError('no_text')
    const metadata = parsed(input['metadata']) as Message['metadata']
    const message = post(channel, {
      user: botUserId,
      bot_id: 'B0BOT',
      text,
      ...(blocks !== undefined && { blocks }),
      ...(metadata !== undefined && { metadata }),
      ...(typeof input['thread_ts'] === 'string' && { thread_ts: input['thread_ts'] }),
    })
    return ok({ ok: true, channel: channel.id, ts: message.ts, message })
  })

  const update = withChannel((channel, input) => {
    const message = channel.messages.find(({ ts }) => ts === input['ts'])
    if (message === undefined) return slackError('message_not_found')
    message.text = String(input['text'] ?? message.text)
    return ok({ ok: true, channel: channel.id, ts: message.ts, text: message.text })
  })

  const list = (threadOnly: boolean) =>
    withChannel((channel, input) => {
      const from = Number(input['oldest'] ?? 0)
      const until = Number(input['latest'] ?? Number.POSITIVE_INFINITY)
      const found = channel.messages.filter(({ ts, thread_ts }) => {
        const isInside = Number(ts) >= from && Number(ts) <= until
        const isRoot = thread_ts === undefined || thread_ts === ts
        return isInside && (threadOnly ? ts === input['ts'] || thread_ts === input['ts'] : isRoot)
      })
      const shown = found.map(({ metadata, ...message }) => {
        const isWanted = String(input['include_all_metadata'] ?? 'false') === 'true'
        return isWanted && metadata !== undefined ? { ...message, metadata } : message
      })
      const size = pageSize(String(input['limit'] ?? 100), { usual: 100, max: 999 })
      // The newest come first, but threads are read from their beginning.
      const { page, next } = pageOf(threadOnly ? shown : shown.reverse(), String(input['cursor'] ?? ''), size)
      return ok({ ok: true, messages: page, has_more: next !== null, response_metadata: { next_cursor: next ?? '' } })
    })

  const history = ['channels:history', 'groups:history', 'im:history']
  return {
    routes: {
      'POST slack.com/api/chat.postMessage': api(['chat:write'], postMessage),
      'POST slack.com/api/chat.update': api(['chat:write'], update),
      'GET slack.com/api/conversations.history': api(history, list(false)),
      'POST slack.com/api/conversations.history': api(history, list(false)),
      'GET slack.com/api/conversations.replies': api(history, list(true)),
      'GET slack.com/api/conversations.list': api(['channels:read'], () =>
        ok({
          ok: true,
          channels: [...channels.values()]
            .filter(({ id }) => id.startsWith('C'))
            .map(({ id, name }) => ({ id, name, is_channel: true })),
        }),
      ),
      'GET slack.com/api/users.info': api(['users:read'], ({ query }, { scopes }) => {
        const person = slackOauth.people.find(({ id }) => id === query.get('user'))
        if (person === undefined) return slackError('user_not_found')
        const email = scopes.includes('users:read.email') ? { email: person.email } : {}
        return ok({
          ok: true,
          user: { id: person.id, name: person.name, is_bot: false, is_email_confirmed: true, profile: email },
        })
      }),
    },
    controls: {
      messages: ({ channel }) => channels.get(String(channel ?? 'C0GENERAL'))?.messages ?? [],
      /** Where Slack sends events, as set on the app's page. */
      setEventsUrl: ({ url, secret }) => {
        eventsUrl = { url: String(url), secret: String(secret) }
      },
      /** A person mentions the app, or writes to it where `channel` is a direct conversation. */
      mention: ({ channel = 'C0GENERAL', user = 'U0ADA', text, threadTs }) => {
        const found = channels.get(String(channel))
        if (found === undefined) throw new Error('there is no such channel')
        const thread = typeof threadTs === 'string' ? { thread_ts: threadTs } : {}
        const message = post(found, { user: String(user), text: `<@${botUserId}> ${text}`, ...thread })
        const isDirect = found.id.startsWith('D')
        const type = isDirect ? { type: 'message', channel_type: 'im' } : { type: 'app_mention' }
        const event = { ...message, ...type, channel: found.id, event_ts: message.ts }
        if (eventsUrl !== null) deliver(world, eventsUrl, { event, event_id: `Ev${world.next()}` })
        return message
      },
    },
  }
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function deliver(world: World, { url, secret }: { url: string; secret: string }, event: Record<string, unknown>): void {
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: team.id,
    api_app_id: 'A0EMULATOR',
    authorizations: [{ team_id: team.id, user_id: botUserId, is_bot: true }],
    event_time: Math.floor(world.clock.now().getTime() / 1000),
    ...event,
  })
  world.deliver({
    url,
    about: String(event['event_id']),
    sign: (now) => {
      const seconds = Math.floor(now.getTime() / 1000)
      const signature = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
      return {
        headers: {
          'content-type': 'application/json',
          'x-slack-request-timestamp': String(seconds),
          'x-slack-signature': `v0=${signature}`,
        },
        body,
      }
    },
  })
}

/** Slack takes JSON, forms and queries. */
function inputOf(call: Call): Record<string, unknown> {
  const isJson = call.headers['content-type']?.startsWith('application/json') === true
  return { ...Object.fromEntries(call.query), ...(isJson ? jsonOf(call) : Object.fromEntries(formOf(call))) }
}

/** In forms, objects are JSON in text. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? JSON.parse(value) : value
}
