import assert from 'node:assert/strict'
import { generateKeyPair } from '../../../src/vault/wireguard/keys.ts'
import { unique } from '../../harness/app.ts'
import { type Ask, ask, countStatuses } from '../../harness/client.ts'
import type { Attack, AttackTarget } from './attack.ts'

const attempts = 400

/** Somebody behind a NAT sends wrong credentials of every kind. All others there keep the good ones they have. */
export const wrongCredentials: Attack = {
  name: 'wrong credentials at the address of good ones',
  run: async (target) => {
    const good = await goodCredentials(target)
    const wrong = good.flatMap(({ headers, ...request }) =>
      Object.keys(headers).map((name) => ({ ...request, headers: { ...headers, [name]: 'Bearer made-up' } })),
    )
    const answers = []
    for (let at = 0; at < attempts; at++) answers.push(await ask(wrong[at % wrong.length] as Ask))
    for (const request of good) {
      const { status, body } = await ask(request)
      assert.equal(status, 200, `${request.url}: ${status} ${body?.code}`)
    }
    return `${describe(countStatuses(answers))}; good ones: ${good.length} x 200`
  },
}

/** A request of a user, of an app with its key, of an administrator and of a node. */
async function goodCredentials({ base, admin, customer }: AttackTarget) {
  const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
  const { body } = await made({ url: `${base}/v1/auth/register`, headers: customer.headers, body: account })
  const license = { licenseKey: customer.licenseKey }
  return [
    { url: `${base}/v1/auth/me`, headers: { authorization: `Bearer ${body.accessToken}` } },
    { url: `${base}/vault/v1/licenses/validate`, method: 'POST', headers: customer.headers, body: license },
    { url: `${base}/admin/tenants`, headers: admin },
    {
      url: `${base}/vault/v1/node/peers?since=0&epoch=1&wait=0`,
      headers: { authorization: `Bearer ${await nodeToken(base, admin)}` },
    },
  ] satisfies Ask[]
}

async function nodeToken(base: string, admin: Record<string, string>): Promise<string> {
  const name = unique('s')
  const subnets = { subnet4: '10.99.0.0/16', subnet6: 'fd42:a7c1:99::/64' }
  const server = { name, region: name, publicIp: '203.0.113.20', dns: ['9.9.9.9'], capacity: 10, ...subnets }
  const { body } = await made({ url: `${base}/admin/vpn/servers`, headers: admin, body: server })
  const url = `${base}/admin/vpn/servers/${body.server.id}/enrollment-token`
  const enrollment = (await made({ url, headers: admin })).body.enrollmentToken
  const enrolled = await made({
    url: `${base}/vault/v1/node/enroll`,
    headers: { authorization: `Bearer ${enrollment}` },
    body: { publicKey: generateKeyPair().publicKey, agentVersion: '0.1.0' },
  })
  return enrolled.body.nodeToken
}

async function made(request: Ask) {
  const answer = await ask({ method: 'POST', ...request })
  assert.ok(answer.status === 201 || answer.status === 200, `${request.url}: ${JSON.stringify(answer.body)}`)
  return answer
}

function describe(statuses: Record<number, number>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ')
}
