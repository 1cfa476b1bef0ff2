import assert from 'node:assert/strict'
import { generateKeyPair } from '../../../src/vault/wireguard/keys.ts'
import { unique } from '../../harness/app.ts'
import { ask } from '../../harness/client.ts'
import { makeCustomer } from '../../harness/customer.ts'
import type { Random } from '../../harness/seeded-random.ts'
import { freeSubnets } from '../../harness/vpn.ts'

export type Ground = {
  /** Of an administrator of the platform who is also a user and an administrator of a tenant. */
  headers: Record<string, string>
  nodeHeaders: Record<string, string>
  /** What these credentials live on, so that requests must not name it. */
  protectedIds: ReadonlySet<string>
  /** Whether the credentials are still good. */
  isAlive(): Promise<boolean>
}

/** A tenant with a user and a VPN node, for requests that may do anything. */
export async function makeGround({ base, admin }: { base: string; admin: Record<string, string> }): Promise<Ground> {
  const post = async (path: string, headers: Record<string, string>, body?: unknown, method = 'POST') => {
    const answer = await ask({ url: base + path, method, headers, body })
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const customer = await makeCustomer({ base, admin })
  const person = { email: `ada@${unique('f')}.example.com`, password: 'plum-Kayak-73-otter' }
  const registered = await post('/v1/auth/register', customer.headers, person)
  await post(`/admin/users/${registered.user.id}`, admin, { role: 'ADMIN' }, 'PATCH')
  const { accessToken } = await post('/v1/auth/login', customer.headers, person)
  const name = unique('s')
  const { publicKey } = generateKeyPair()
  const server = { name, region: name, publicIp: '203.0.113.20', publicKey, capacity: 200, ...freeSubnets() }
  const made = await post('/admin/vpn/servers', admin, server)
  const { enrollmentToken } = await post(`/admin/vpn/servers/${made.server.id}/enrollment-token`, admin)
  const enrollment = { publicKey: generateKeyPair().publicKey, agentVersion: '0.1.0' }
  const enrolling = { authorization: `Bearer ${enrollmentToken}` }
  const { nodeToken } = await post('/vault/v1/node/enroll', enrolling, enrollment)
  const headers = { ...admin, ...customer.headers, authorization: `Bearer ${accessToken}` }
  return {
    headers,
    nodeHeaders: { authorization: `Bearer ${nodeToken}` },
    protectedIds: new Set([customer.tenantId, customer.apiKeyId, registered.user.id, made.server.id]),
    isAlive: async () => (await ask({ url: `${base}/v1/auth/me`, headers })).status === 200,
  }
}

export type KnownIds = {
  learn(body: unknown, except: ReadonlySet<string>): void
  /** One of the kind that a path parameter such as `meetingId` names, if there is any. */
  pick(random: Random, param?: string): string
}

/** Ids and other names that the service has told, so that requests also reach what is there. */
export function knownIds(): KnownIds {
  const byKind = new Map<string, string[]>([['', ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57']]])
  const add = (kind: string, id: string) => {
    const ids = byKind.get(kind) ?? []
    if (ids.push(id) > 300) ids.splice(0, 100)
    byKind.set(kind, ids)
  }
  const learn = (value: unknown, except: ReadonlySet<string>, kind = ''): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const element of value.slice(0, 5)) learn(element, except, kind)
      return
    }
    for (const [name, part] of Object.entries(value)) {
      const isName = ['id', 'slug', 'key', 'code', 'locale', 'version'].includes(name) || name.endsWith('Id')
      if (isName && typeof part === 'string' && part.length < 100 && !except.has(part)) {
        add(name.endsWith('Id') ? kindOf(name) : kind, part)
        add('', part)
      } else learn(part, except, kindOf(name))
    }
  }
  return {
    learn,
    pick: (random, param = '') => {
      const ofKind = random.below(5) === 0 ? undefined : byKind.get(kindOf(param))
      return random.oneOf(ofKind ?? (byKind.get('') as string[]))
    },
  }
}

/** `meetings`, `meeting` and `meetingId` are one. */
function kindOf(name: string): string {
  return name.replace(/(?:Id|s)$/, '').toLowerCase()
}
