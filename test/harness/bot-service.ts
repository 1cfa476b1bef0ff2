// The service as an operator starts it, with a runner's place and a user who sends bots to our meeting page.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Answer, ask } from './client.ts'
import { freePort } from './free-port.ts'
import { until } from './node-agent.ts'
import { type Service, startService, temporaryFolder } from './service.ts'

const unique = (name: string) => `${name}-${randomBytes(6).toString('hex')}`

export type BotService = Awaited<ReturnType<typeof startBotService>>

type Options = {
  /** The address of the meeting pages. */
  meetings: string
  environment?: Record<string, string>
}

export async function startBotService({ meetings, environment = {} }: Options) {
  const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
  const settings = {
    PORT: String(await freePort()),
    DATA_DIR: await temporaryFolder(),
    ADMIN_KEY: adminKey,
    BOT_MEETING_HOSTS: `${new URL(meetings).host}=page`,
    RATE_LIMIT_MAX: '1000000',
    LOG_LEVEL: 'warn',
    ...environment,
  }
  let service: Service = await startService(settings)
  const { base } = service
  const made = async (path: string, headers: Record<string, string>, body: unknown) => {
    const answer = await ask({ url: base + path, method: 'POST', headers, body })
    assert.ok([201, 202].includes(answer.status), `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const admin = { 'x-admin-key': adminKey }
  const slug = unique('bots')
  const contactEmail = `ops@${slug}.example.com`
  const limits = { requestsPerWindow: 1_000_000, maxLiveBots: 1000 }
  const { tenant } = await made('/admin/tenants', admin, { name: slug, slug, contactEmail, limits })
  const { apiKey } = await made(`/admin/tenants/${tenant.id}/api-keys`, admin, {
    name: 'app',
    products: ['assistant-ai'],
  })
  const person = { email: `ada@${slug}.example.com`, password: 'plum-Kayak-73-otter' }
  const { accessToken } = await made('/v1/auth/register', { 'x-api-key': apiKey.key }, person)
  const user = { authorization: `Bearer ${accessToken}` }

  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask({ url: `${base}/assistant/v1${path}`, method, headers: user, ...(body === undefined ? {} : { body }) })
  const get = async (id: string) => (await call('GET', `/bot/${id}`)).body.bot
  return {
    base,
    admin,
    call,
    output: () => service.output(),
    newEnrollmentToken: async (): Promise<string> =>
      (await made('/admin/bot/runners', admin, { name: unique('runner') })).enrollmentToken,
    deploy: async (body: object) => (await made('/assistant/v1/bot', user, body)).bot,
    get,
    /** Looks until the bot is as wanted, and returns it. */
    untilBot: async (id: string, isWanted: (bot: Awaited<ReturnType<typeof get>>) => boolean) => {
      let bot = await get(id)
      await until(
        async () => {
          bot = await get(id)
          return bot !== undefined && isWanted(bot)
        },
        () => JSON.stringify(bot),
      )
      return bot
    },
    /** `speaker: text` of each entry, without the marks between words. */
    transcript: async (meetingId: string): Promise<string[]> => {
      const { body } = await call('GET', `/meetings/${meetingId}/transcript`)
      return body.entries.map(
        ({ speaker, text }: { speaker: string; text: string }) => `${speaker}: ${text.replace(/[.,]/g, '').trim()}`,
      )
    },
    stop: (signal: NodeJS.Signals) => service.stop(signal),
    /** Again, at the same address. */
    start: async () => {
      service = await startService(settings)
    },
  }
}
