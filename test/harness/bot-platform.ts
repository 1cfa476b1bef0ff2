import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { BotEvent, Command, Entry, Platform, Status } from '../../runner/protocol.ts'
import { changes } from './changes.ts'

/** What one bot reported. */
export type ReportedBot = {
  id: string
  lease: number
  events: (BotEvent & { receivedAt: number })[]
  /** The latest text of each segment, in the order of their first arrival. */
  entries: Map<string, Entry & { receivedAt: number }>
  artifacts: Map<string, Buffer>
  statuses: Status[]
  reason: string | undefined
}
type Waiting = { bot: object; link: string; lease: number }
type Answer = { status: number; body?: unknown }

export type BotPlatform = Awaited<ReturnType<typeof startBotPlatform>>

/** The platform's side of the runner protocol, by hand: as much of it as one runner needs, and ways to be away. */
export async function startBotPlatform() {
  const state = {
    enrollmentToken: `atrenroll_${randomUUID().replaceAll('-', '')}`,
    runnerToken: '',
    epoch: 0,
    queue: [] as Waiting[],
    bots: new Map<string, ReportedBot>(),
    commands: [] as Command[],
    heartbeats: 0,
    /** Answers everything with 503. */
    isFailing: false,
    seen: new Set<string>(),
  }
  const { changed, until } = changes()
  let received = 0

  const botOf = (id: string) => state.bots.get(id) as ReportedBot
  const claim = async (isGone: () => boolean): Promise<Answer> => {
    const deadline = performance.now() + 2_000
    while (state.queue.length === 0 && performance.now() < deadline)
      await Promise.race([until(() => state.queue.length > 0), new Promise((resolve) => setTimeout(resolve, 200))])
    // A runner that was killed while it waited must not take a bot with it.
    const next = isGone() ? undefined : state.queue.shift()
    return next ? { status: 200, body: next } : { status: 204 }
  }
  /** Whether this report came for the first time. */
  const isNew = (key: string) => !state.seen.has(key) && state.seen.add(key).size > 0

  const routes: Record<string, (body: never, url: URL, raw: Buffer) => Answer | Promise<Answer>> = {
    '/heartbeat': ({ leases }: { leases: { botId: string; lease: number }[] }) => {
      state.heartbeats += 1
      const lost = leases.filter(({ botId, lease }) => botOf(botId)?.lease !== lease).map(({ botId }) => botId)
      return { status: 200, body: { commands: state.commands, lost } }
    },
    '/events': ({ botId, lease, events }: { botId: string; lease: number; events: BotEvent[] }) => {
      const bot = botOf(botId)
      if (bot.lease !== lease) return { status: 409, body: { code: 'LEASE_LOST' } }
      for (const event of events) {
        if (!isNew(`event ${botId} ${lease} ${event.seq}`)) continue
        bot.events.push({ ...event, receivedAt: ++received })
        if (event.type === 'status') bot.statuses.push(event.status)
        if (event.type === 'status' && event.reason) bot.reason = event.reason
        if (event.type === 'command_done') state.commands = state.commands.filter(({ id }) => id !== event.commandId)
      }
      return { status: 204 }
    },
    '/entries': ({ botId, lease, seq, entries }: { botId: string; lease: number; seq: number; entries: Entry[] }) => {
      const bot = botOf(botId)
      if (bot.lease !== lease) return { status: 409, body: { code: 'LEASE_LOST' } }
      if (!isNew(`entries ${botId} ${lease} ${seq}`)) return { status: 204 }
      for (const entry of entries) {
        const before = bot.entries.get(entry.segmentId)
        bot.entries.set(entry.segmentId, { ...entry, receivedAt: before?.receivedAt ?? ++received })
      }
      return { status: 204 }
    },
    '/artifacts': (_body: never, url: URL, raw: Buffer) => {
      botOf(url.searchParams.get('botId') ?? '').artifacts.set(url.searchParams.get('name') ?? '', raw)
      return { status: 204 }
    },
  }
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '', 'http://x')
    const path = url.pathname.replace('/assistant/v1/bot-runner', '')
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const raw = await buffer(request)
    const isJson = request.headers['content-type'] === 'application/json' && path !== '/artifacts'
    const body = isJson ? JSON.parse(raw.toString('utf8') || '{}') : {}
    if (state.isFailing) return { status: 503, body: { code: 'UNAVAILABLE' } }
    if (path === '/enroll') {
      if (token !== state.enrollmentToken || state.runnerToken)
        return { status: 401, body: { code: 'RUNNER_TOKEN_INVALID' } }
      state.runnerToken = `atrrunner_${randomUUID().replaceAll('-', '')}`
      return { status: 200, body: { runnerToken: state.runnerToken, runner: { id: randomUUID(), name: 'one' } } }
    }
    if (token !== state.runnerToken) return { status: 401, body: { code: 'RUNNER_TOKEN_INVALID' } }
    const epoch = Number(body.epoch ?? url.searchParams.get('epoch'))
    if (epoch < state.epoch) return { status: 409, body: { code: 'NODE_SUPERSEDED' } }
    state.epoch = epoch
    if (path === '/claim') return claim(() => request.socket.destroyed)
    return (await routes[path]?.(body as never, url, raw)) ?? { status: 404 }
  }
  const reply = (request: IncomingMessage, response: ServerResponse) => {
    answer(request).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(body === undefined ? undefined : JSON.stringify(body))
        changed()
      },
      () => response.destroy(),
    )
  }
  const http = await listening(reply)
  const { port } = http.address() as AddressInfo

  const offer = (bot: ReportedBot, link: string, platform: Platform) => {
    state.queue.push({
      bot: {
        id: bot.id,
        attempt: 1,
        platform,
        displayName: 'Atrium (notes)',
        consent: { mode: 'notice', message: 'This meeting is being written down. Write !stop to end that.' },
      },
      link,
      lease: bot.lease,
    })
    changed()
  }
  return {
    base: `http://127.0.0.1:${port}`,
    state,
    /** Looks again after each call of the runner. */
    until,
    deploy: (link: string, platform: Platform = 'page'): ReportedBot => {
      const bot: ReportedBot = {
        id: randomUUID(),
        lease: 1,
        events: [],
        entries: new Map(),
        artifacts: new Map(),
        statuses: [],
        reason: undefined,
      }
      state.bots.set(bot.id, bot)
      offer(bot, link, platform)
      return bot
    },
    /** Another runner has the bot now. */
    takeLease: (bot: ReportedBot) => {
      bot.lease += 1
    },
    command: (bot: ReportedBot, command: Omit<Command, 'id' | 'botId'>) => {
      state.commands.push({ id: randomUUID(), botId: bot.id, ...command })
    },
    stop: async () => {
      const closed = once(http, 'close')
      http.close()
      http.closeAllConnections()
      await closed
    },
  }
}

async function listening(reply: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const http = createServer(reply)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return http
}
