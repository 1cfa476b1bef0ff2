import assert from 'node:assert/strict'
import { generateKeyPair } from '../../src/vault/wireguard/keys.ts'
import type { Reply, TestApp } from './app.ts'

export type TestNode = {
  serverId: string
  token: string
  headers: Record<string, string>
  epoch: number
  peers(since: number, more?: { wait?: number; epoch?: number }): Promise<Reply>
  status(appliedRevision: number, more?: Record<string, unknown>): Promise<Reply>
  /** The next report, unless it says which. */
  report(peers: TestReport[], more?: Record<string, unknown>): Promise<Reply>
}

type TestReport = { publicKey: string; handshakeAgeSeconds?: number | null; rxBytes?: number; txBytes?: number }

export async function enrollmentToken(app: TestApp, serverId: string): Promise<string> {
  const url = `/admin/vpn/servers/${serverId}/enrollment-token`
  const reply = await app.call({ method: 'POST', url, headers: app.admin })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.enrollmentToken
}

export async function enroll(app: TestApp, token: string, overrides: Record<string, unknown> = {}): Promise<Reply> {
  const { publicKey } = generateKeyPair()
  return app.call({
    method: 'POST',
    url: '/vault/v1/node/enroll',
    headers: { authorization: `Bearer ${token}` },
    body: { publicKey, agentVersion: '0.1.0', ...overrides },
  })
}

/** What an agent says, over requests alone. */
export function createNode(app: TestApp, { serverId, token }: { serverId: string; token: string }): TestNode {
  const headers = { authorization: `Bearer ${token}` }
  const epoch = 1000
  let seq = 0
  const post = (path: string, body: unknown) =>
    app.call({ method: 'POST', url: `/vault/v1/node/${path}`, headers, body })
  return {
    serverId,
    token,
    headers,
    epoch,
    peers: (since, { wait = 0, epoch: of = epoch } = {}) =>
      app.call({ url: `/vault/v1/node/peers?since=${since}&epoch=${of}&wait=${wait}`, headers }),
    status: (appliedRevision, more = {}) => post('status', { epoch, appliedRevision, rejected: [], ...more }),
    report: (peers, more = {}) =>
      post('report', {
        epoch,
        seq: ++seq,
        peers: peers.map((peer) => ({ handshakeAgeSeconds: 0, rxBytes: 0, txBytes: 0, ...peer })),
        ...more,
      }),
  }
}

/** A server of its own region whose node has enrolled. */
export async function enrolledNode(app: TestApp, server: { id: string }): Promise<TestNode> {
  const { status, body } = await enroll(app, await enrollmentToken(app, server.id))
  assert.equal(status, 200, JSON.stringify(body))
  return createNode(app, { serverId: server.id, token: body.nodeToken })
}
