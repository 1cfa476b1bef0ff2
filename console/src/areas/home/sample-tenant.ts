import { Atrium } from '@atrium/sdk'
import { atrium } from '../../doors/atrium.ts'

const dayMs = 86_400_000
const people = [
  { name: 'Ada Fischer', device: { deviceName: 'Ada’s laptop', deviceType: 'LINUX' } },
  { name: 'Ben Okafor', device: { deviceName: 'Ben’s phone', deviceType: 'ANDROID' } },
  { name: 'Chloé Martin', device: { deviceName: 'Reception', deviceType: 'WINDOWS' } },
]

/** Returns the id of the tenant. What needs a person is done as the tenant's own application does it. */
export async function makeSampleTenant(slug: string): Promise<string> {
  const contactEmail = 'ops@northwind.example'
  const { tenant } = await atrium.tenants.create({ name: 'Northwind (sample)', slug, contactEmail })
  const tenantId = tenant.id
  const products = ['vault-vpn', 'assistant-ai']
  const { apiKey } = await atrium.apiKeys.create({ tenantId, name: 'sample app', products })
  const licenseKey = await issueLicenses(tenantId)
  for (const [index, { name, device }] of people.entries()) {
    const app = new Atrium({ baseUrl: location.origin, apiKey: apiKey.key })
    const email = `${name.split(' ')[0]?.toLowerCase().normalize('NFKD').replace(/\W/g, '')}@northwind.example`
    await app.auth.register({ email, name, password: randomPassword() })
    const { device: registered } = await app.devices.register(device)
    if (index > 0) continue
    await app.vpn.connect({ deviceId: registered.id, licenseKey })
    await holdMeeting(app)
  }
  return tenantId
}

/** One that lasts, one that ends soon and one that was revoked. Returns the key of the first. */
async function issueLicenses(tenantId: string): Promise<string> {
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  const product = 'vault-vpn'
  const lasting = { tenantId, product, plan: 'PRO', maxUses: 500, expiresAt: inDays(365), label: 'Order 1001' } as const
  const { license } = await atrium.licenses.create(lasting)
  await atrium.licenses.create({ tenantId, product, plan: 'TRIAL', expiresAt: inDays(5), label: 'Trial of Ben' })
  const revoked = await atrium.licenses.create({ tenantId, product, plan: 'STARTER', label: 'Order 1000, refunded' })
  await atrium.licenses.revoke({ key: revoked.license.id })
  return license.key ?? ''
}

async function holdMeeting(app: Atrium): Promise<void> {
  const lines = [
    ['Ada', 'Let us decide when the new region opens.'],
    ['Ben', 'The servers in Frankfurt are ready. I tested the tunnels yesterday.'],
    ['Ada', 'Then we decided: Frankfurt opens on Monday.'],
    ['Chloé', 'I will write to all customers by Friday.'],
    ['Ben', 'Who watches the servers during the first night?'],
    ['Ada', 'I will take the first night.'],
  ] as const
  const transcript = lines.map(([speaker, text], index) => ({
    speaker,
    text,
    timestamp: `00:0${index}:00`,
  }))
  const participants = people.map(({ name }) => ({ name }))
  const { id: meetingId } = await app.meetings.create({
    title: 'Opening the Frankfurt region',
    participants,
    transcript,
  })
  await app.meetings.end({ meetingId })
}

/** Nobody signs in as these people. */
function randomPassword(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(36)).join('-')
}
