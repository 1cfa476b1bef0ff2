import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { vendorNames } from '../emulators/emulator.ts'
import { startVendors } from '../emulators/vendors/vendors.ts'
import { ask } from '../harness/client.ts'
import { makeCustomer } from '../harness/customer.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { startService, temporaryFolder } from '../harness/service.ts'
import type { Row } from './row.ts'

const joinMsMax = 100_000

/** Kills the service amid the order of a bot: how many the vendor has then, and when the bot is on its way. */
export async function botVendorKills(rounds: number): Promise<Row[]> {
  const vendors = await startVendors({ now: () => new Date(), advance: () => undefined })
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const environment = {
    DATA_DIR: await temporaryFolder(),
    ADMIN_KEY: admin['x-admin-key'],
    RATE_LIMIT_MAX: '1000000000',
    LOG_LEVEL: 'silent',
    BOT_VENDOR_ENDPOINTS: [...vendors.endpoints].map((pair) => pair.join('=')).join(','),
  }
  let service = await startService(environment)
  const { headers } = await makeCustomer({ base: service.base, admin, limits: { maxLiveBots: 100 } })
  const account = { email: 'ada@example.com', password: 'correct horse battery staple' }
  const post = (path: string, body: unknown, more: Record<string, string> = headers) =>
    ask({ url: service.base + path, method: 'POST', headers: more, body })
  const { body: made } = await post('/vault/v1/auth/register', account)
  await ask({
    url: `${service.base}/admin/users/${made.user.id}`,
    method: 'PATCH',
    headers: admin,
    body: { role: 'ADMIN' },
  })
  const random = seededRandom(rounds)
  const rows: Row[] = []
  for (let round = 0; round < rounds; round++) {
    const vendor = vendorNames[round % vendorNames.length] ?? 'recall'
    const { body: session } = await post('/vault/v1/auth/login', account)
    const own = { ...headers, authorization: `Bearer ${session.accessToken}` }
    const region = vendor === 'recall' ? { region: 'eu-central-1' } : {}
    const url = `${service.base}/assistant/v1/bot/vendors/${vendor}`
    await ask({ url, method: 'PUT', headers: own, body: { apiKey: vendors.apiKey(vendor), ...region } })
    const had = vendors.rooms(vendor).bots.length
    vendors.faults.add({ provider: vendor, method: 'POST', path: '/bot', delayMs: random.below(800) })
    const meetingUrl = `https://zoom.us/j/${10_000_000_000 + round}`
    const { body: sent } = await post('/assistant/v1/bot', { meetingUrl, provider: vendor }, own)
    await delay(random.below(4000))
    await service.stop('SIGKILL')
    vendors.faults.clear()
    const killedAt = performance.now()
    service = await startService(environment)
    const read = async () =>
      (await ask({ url: `${service.base}/assistant/v1/bot/${sent.bot.id}`, headers: own })).body.bot
    let bot = await read()
    while (bot.status !== 'joining' && performance.now() - killedAt < joinMsMax) {
      await delay(250)
      bot = await read()
    }
    const joiningMs = Math.round(performance.now() - killedAt)
    const ordered = vendors.rooms(vendor).bots.length - had
    await post(`/assistant/v1/bot/${sent.bot.id}/leave`, {}, own)
    const broken = [ordered === 1 ? '' : 'not ordered once', bot.status === 'joining' ? '' : bot.status]
    rows.push({ round, vendor, ordered, joiningMs, broken: broken.filter((fault) => fault !== '').join(', ') })
  }
  await service.stop('SIGTERM')
  await vendors.close()
  return rows
}
