// The service as an operator starts it, with a runner's place and a user who sends bots to our meeting page.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask } from './client.ts'
import { freePort } from './free-port.ts'
import { type Service, startService, temporaryFolder } from './service.ts'

const unique = (name: string) => `${name}-${randomBytes(6).toString('hex')}`

export type BotService = Awaited<ReturnType<typeof startBotService>>
type AnyBot = Answer['body']

type Options = {
  /** The address of the meeting pages. */
  meetings: string
  environment?: Record<string, string>
}

/** What the service has to know of our meeting pages. */
export const pageSettings = (meetings: string): Record<string, string> => ({
  BOT_MEETING_HOSTS: `${new URL(meetings).host}=page`,
})

export async function startBotService({ meetings, environment = {} }: Options) {
  const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
  const settings = {
    PORT: String(await freePort()),
    DATA_DIR: await temporaryFolder(),
    ADMIN_KEY: adminKey,
    RATE_LIMIT_MAX: '1000000',
    LOG_LEVEL: 'warn',
    ...pageSettings(meetings),
    ...environment,
  }
  let service: Service = await startService(settings)
  const { base } = service
  return {
    base,
    ...(await botAccount(base, { 'x-admin-key': adminKey })),
    output: () => service.output(),
    stop: (signal: NodeJS.Signals) => service.stop(signal),
    /** Again, at the same address. */
    start: async () => {
      service = await startService(settings)
    },
  }
}

/** A service on a starved machine says that it is busy: whoever wants something repeats it. */
async function askPatiently(question: Parameters<typeof ask>[0]): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(question)
    if (answer.status !== 503 || answer.body?.code !== 'UNAVAILABLE' || tries === 20) return answer
    await delay(1000)
  }
}

/** A user of a tenant of its own, who sends bots. */
export async function botAccount(base: string, admin: Record<string, string>) {
  const made = async (path: string, headers: Record<string, string>, body: unknown) => {
    const answer = await askPatiently({ url: base + path, method: 'POST', headers, body })
    assert.ok([200, 201, 202].includes(answer.status), `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const slug = unique('bots')
  const contactEmail = `ops@${slug}.example.com`
  const limits = { requestsPerWindow: 1_000_000, maxLiveBots: 1000 }
  const { tenant } = await made('/admin/tenants', admin, { name: slug, slug, contactEmail, limits })
  const { apiKey } = await made(`/admin/tenants/${tenant.id}/api-keys`, admin, {
    name: 'app',
    products: ['assistant-ai'],
  })
  const person = { email: `ada@${slug}.example.com`, password: 'plum-Kayak-73-otter' }
  const key = { 'x-api-key': apiKey.key }
  let { accessToken } = await made('/v1/auth/register', key, person)

  const once = (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { authorization: `Bearer ${accessToken}` }
    return askPatiently({
      url: `${base}/assistant/v1${path}`,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  }
  /** Trials last longer than an access token. */
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await once(method, path, body)
    if (answer.status !== 401) return answer
    accessToken = (await made('/v1/auth/login', key, person)).accessToken
    return once(method, path, body)
  }
  const get = async (id: string) => (await call('GET', `/bot/${id}`)).body.bot
  return {
    admin,
    call,
    newRunner: async (): Promise<{ id: string; token: string }> => {
      const { runner, enrollmentToken } = await made('/admin/bot/runners', admin, { name: unique('runner') })
      return { id: runner.id, token: enrollmentToken }
    },
    deploy: async (body: object): Promise<AnyBot> => {
      const answer = await call('POST', '/bot', body)
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
      return answer.body.bot
    },
    get,
    leave: async (id: string): Promise<void> => {
      const { status, body } = await call('POST', `/bot/${id}/leave`)
      assert.equal(status, 200, JSON.stringify(body))
    },
    /** Looks until the bot is as wanted, and returns it. */
    untilBot: async (id: string, isWanted: (bot: AnyBot) => boolean, withinMs = 20_000): Promise<AnyBot> => {
      const deadline = performance.now() + withinMs
      for (;;) {
        const bot = await get(id)
        if (bot !== undefined && isWanted(bot)) return bot
        assert.ok(performance.now() < deadline, JSON.stringify(bot))
        await delay(50)
      }
    },
    /** `speaker: text` of each entry, without the marks between words. */
    transcript: async (meetingId: string): Promise<string[]> => {
      const { body } = await call('GET', `/meetings/${meetingId}/transcript`)
      return body.entries.map(
        ({ speaker, text }: { speaker: string; text: string }) => `${speaker}: ${text.replace(/[.,]/g, '').trim()}`,
      )
    },
  }
}
