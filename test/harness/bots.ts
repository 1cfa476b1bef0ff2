import assert from 'node:assert/strict'
import type { Reply, TestApp, TestTenant, TestUser } from './app.ts'
import { noteSecret } from './suite-secrets.ts'

export const pageHosts = new Map([['meet.test', 'page' as const]])
export const linkTo = (room: string) => `https://meet.test/room/${room}?passcode=open-sesame`

type Record_ = Record<string, unknown>

/** The calls of users, and of a runner that does what a test says. */
export function botCalls(app: TestApp) {
  const call = (user: TestUser, method: string, path: string, body?: unknown): Promise<Reply> =>
    app.call({
      method,
      url: `/assistant/v1/bot${path}`,
      headers: user.headers,
      ...(body === undefined ? {} : { body }),
    })

  async function deploy(user: TestUser, body: Record_) {
    const reply = await call(user, 'POST', '', body)
    assert.equal(reply.status, 202, JSON.stringify(reply.body))
    return reply.body.bot
  }

  const get = async (user: TestUser, id: string) => (await call(user, 'GET', `/${id}`)).body.bot

  /** The service is away, and looks again afterwards. */
  async function away(ms: number): Promise<void> {
    app.clock.advance({ ms })
    await app.app.housekeep('bots.')
  }

  /** Time passes under the eyes of the service, which looks every two seconds. More than five minutes it is away. */
  async function pass(ms: number): Promise<void> {
    const step = ms > 300_000 ? ms : 15_000
    for (let left = ms; left > 0; left -= step) await away(Math.min(left, step))
  }

  async function tenantWithUser(): Promise<{ tenant: TestTenant; user: TestUser }> {
    const tenant = await app.tenant()
    return { tenant, user: await app.user(await app.apiKey(tenant)) }
  }

  /** A runner of the user's tenant. */
  async function runner(admin: TestUser, { platforms = ['page', 'jitsi'], slots = 4 } = {}) {
    await app.promote(admin)
    const made = await call(admin, 'POST', '/runners', { name: 'test' })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const enrolled = await app.call({
      method: 'POST',
      url: '/assistant/v1/bot-runner/enroll',
      headers: { authorization: `Bearer ${made.body.enrollmentToken}` },
      body: { runnerVersion: '1.0.0', platforms, slots },
    })
    assert.equal(enrolled.status, 200, JSON.stringify(enrolled.body))
    const { runnerToken: token } = enrolled.body
    noteSecret({ text: token, what: 'a runner token', issuedBy: 'enrollBotRunner' })
    const { id } = made.body.runner
    const other = await call(admin, 'POST', `/runners/${id}/enrollment-token`)
    return runnerCalls(app, { token, platforms, enrollmentToken: other.body.enrollmentToken, id })
  }

  /** The next start of the same runner: the earlier one is superseded. */
  const restarted = ({ restart }: ReturnType<typeof runnerCalls>) => runnerCalls(app, restart.keys, restart.starts)

  return { call, deploy, get, pass, away, tenantWithUser, runner, restarted }
}

type RunnerKeys = { token: string; platforms: string[]; enrollmentToken: string; id: string }

function runnerCalls(app: TestApp, { token, platforms, ...keys }: RunnerKeys, starts = 0) {
  const headers = { authorization: `Bearer ${token}` }
  const epoch = app.clock.now().getTime() + starts
  let seq = starts * 1_000_000
  const post = (path: string, body: Record_): Promise<Reply> =>
    app.call({ method: 'POST', url: `/assistant/v1/bot-runner/${path}`, headers, body: { epoch, ...body } })
  type Held = { bot: { id: string; attempt: number }; lease: number }
  const report = ({ bot, lease }: Held, ...events: Record_[]) =>
    post('events', { botId: bot.id, lease, events: events.map((event) => ({ seq: seq++, ...event })) })
  return {
    ...keys,
    restart: { keys: { token, platforms, ...keys }, starts: starts + 1 },
    epoch,
    headers,
    enrolling: { authorization: `Bearer ${keys.enrollmentToken}` },
    post,
    claim: async () => (await post('claim', { platforms })).body,
    report,
    status: (held: Held, status: string, rest: Record_ = {}) => report(held, { type: 'status', status, ...rest }),
    beat: (...held: Held[]) => post('heartbeat', { leases: held.map(({ bot, lease }) => ({ botId: bot.id, lease })) }),
    say: (
      { bot, lease }: Held,
      words: { n: number; text: string; speaker?: string; atMs?: number }[],
      entriesSeq = seq++,
    ) =>
      post('entries', {
        botId: bot.id,
        lease,
        seq: entriesSeq,
        entries: words.map(({ n, text, speaker = 'Ada', atMs = 1000 }) => {
          return { segmentId: `${bot.id}:${bot.attempt}:${n}`, speaker, text, atMs }
        }),
      }),
  }
}
