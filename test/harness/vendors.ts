import assert from 'node:assert/strict'
import type { VendorName } from '../emulators/emulator.ts'
import { startVendors, type VendorEmulators } from '../emulators/vendors/vendors.ts'
import { type TestApp, type TestTenant, type TestUser, testApp } from './app.ts'
import { botCalls } from './bots.ts'
import { testClock } from './clock.ts'
import { freePort } from './free-port.ts'
import { noteSecret } from './suite-secrets.ts'

export const links: Record<VendorName, string> = {
  recall: 'https://zoom.us/j/98765432100?pwd=open-sesame',
  attendee: 'https://meet.google.com/abc-defg-hij',
  vexa: 'https://meet.google.com/xyz-abcd-efg',
}

const hookSecrets: Record<VendorName, string> = {
  recall: `whsec_${Buffer.from('a secret of the emulated recall').toString('base64')}`,
  attendee: Buffer.from('a secret of the emulated attendee').toString('base64'),
  vexa: 'a-secret-of-the-emulated-vexa',
}

export type VendorTest = Awaited<ReturnType<typeof vendorTest>>

/** An app that listens, with the emulated vendors of bots and their webhooks. */
export async function vendorTest() {
  const clock = testClock()
  const port = await freePort()
  const vendors: VendorEmulators = await startVendors({
    now: () => clock.now(),
    advance: (seconds) => void clock.advance({ ms: seconds * 1000 }),
  })
  const origin = `http://127.0.0.1:${port}`
  const app: TestApp = await testApp({
    clock,
    botVendorEndpoints: vendors.endpoints,
    integrations: { apps: new Map(), endpoints: new Map(), publicUrl: origin },
  })
  await app.app.server.listen({ port, host: '127.0.0.1' })
  const bots = botCalls(app)

  /** Runs what is due, and delivers what the vendors send, until nothing follows from it. */
  async function settle(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await app.app.housekeep('bots.')
      await app.settled()
      await vendors.deliveries.settle()
    }
  }
  async function pass(seconds: number): Promise<void> {
    clock.advance({ ms: seconds * 1000 })
    await settle()
  }

  /** An administrator of a tenant of its own. */
  async function admin(): Promise<{ tenant: TestTenant; user: TestUser }> {
    const made = await bots.tenantWithUser()
    await app.promote(made.user)
    return made
  }

  async function setUp(user: TestUser, vendor: VendorName, { hasHook = true }: { hasHook?: boolean } = {}) {
    const [apiKey, webhookSecret] = [vendors.apiKey(vendor), hookSecrets[vendor]]
    noteSecret({ text: apiKey, what: 'the key of a vendor', issuedBy: 'a vendor of bots' })
    const body = {
      apiKey,
      ...(hasHook ? { webhookSecret } : {}),
      ...(vendor === 'recall' ? { region: 'eu-central-1' } : {}),
    }
    const reply = await bots.call(user, 'PUT', `/vendors/${vendor}`, body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    const path = reply.body.vendor.webhookPath
    vendors.setHook(vendor, hasHook ? { url: `${origin}${path}`, secret: webhookSecret } : null)
    return reply.body.vendor
  }

  /** A bot that the vendor has, in its waiting room or in the meeting. */
  async function sent(user: TestUser, vendor: VendorName, body: Record<string, unknown> = {}) {
    const bot = await bots.deploy(user, { meetingUrl: links[vendor], provider: vendor, ...body })
    await settle()
    const theirs = vendors.rooms(vendor).bots.at(-1) ?? assert.fail('the vendor has no bot')
    return { bot, theirs, rooms: vendors.rooms(vendor) }
  }

  async function admitted(user: TestUser, vendor: VendorName, body: Record<string, unknown> = {}) {
    const made = await sent(user, vendor, body)
    await pass(1)
    made.rooms.admit(made.theirs.id)
    await settle()
    return made
  }

  const close = async () => {
    await app.app.server.close()
    await vendors.close()
  }
  return { app, clock, vendors, bots, settle, pass, admin, setUp, sent, admitted, close }
}
