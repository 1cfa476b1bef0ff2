import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type Peer, snapshotHash } from '../../agent/peer.ts'
import { changes } from './changes.ts'

export type SentPeer = Peer & { notAfterSeconds: number | null }
type Answer = { status: number; body?: unknown }
type Told = { rxBytes: number; txBytes: number; handshakeAgeSeconds: number | null }

/** The platform's side of the node protocol, by hand: as much of it as one node needs, and ways to behave badly. */
export type NodePlatform = Awaited<ReturnType<typeof startNodePlatform>>

const serverRecord = {
  id: '0198c5a0-0000-7000-8000-000000000001',
  name: 'eu-1',
  region: 'eu',
  address4: '10.64.0.1/16',
  address6: 'fd42:1::1/64',
  subnet4: '10.64.0.0/16',
  subnet6: 'fd42:1::/64',
  listenPort: 51820,
  mtu: 1420,
  dns: ['10.64.0.1'],
}

export async function startNodePlatform(server = serverRecord) {
  const state = {
    enrollmentToken: `atrenroll_${randomBytes(12).toString('hex')}`,
    isUsed: false,
    nodeToken: '',
    serverKey: '',
    epoch: 0,
    revision: 0,
    completeFrom: 0,
    log: [] as { revision: number; publicKey: string }[],
    peers: new Map<string, unknown>(),
    status: { appliedRevision: -1, rejected: [] as { publicKey: string; reason: string }[] },
    reports: [] as { epoch: number; seq: number; peers: (Told & { publicKey: string })[] }[],
    /** What is answered instead, by path. */
    instead: new Map<string, (usual: () => Promise<Answer>) => Answer | Promise<Answer>>(),
    calls: [] as string[],
  }
  const { changed: called, until } = changes()
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const one of [...waiting]) one()
  }

  const changed = (publicKey: string) => {
    state.revision += 1
    state.log.push({ revision: state.revision, publicKey })
    wake()
  }
  const snapshot = () => {
    const peers = [...state.peers.values()] as SentPeer[]
    return { kind: 'snapshot', revision: state.revision, count: peers.length, sha256: snapshotHash(peers), peers }
  }
  const delta = (since: number) => {
    const keys = new Set(state.log.filter(({ revision }) => revision > since).map(({ publicKey }) => publicKey))
    const upserts = [...keys].flatMap((key) => (state.peers.has(key) ? [state.peers.get(key)] : []))
    return {
      kind: 'delta',
      revision: state.revision,
      upserts,
      removes: [...keys].filter((key) => !state.peers.has(key)),
    }
  }
  const peersSince = async (url: URL): Promise<Answer> => {
    const since = Number(url.searchParams.get('since'))
    if (since > state.revision) return { status: 409, body: { code: 'REVISION_AHEAD' } }
    if (since === 0 || since < state.completeFrom) return { status: 200, body: snapshot() }
    if (since === state.revision) {
      await new Promise<void>((resolve) => {
        const wakeUp = () => {
          clearTimeout(timer)
          waiting.delete(wakeUp)
          resolve()
        }
        const timer = setTimeout(wakeUp, Number(url.searchParams.get('wait')) * 1000)
        waiting.add(wakeUp)
      })
      if (Number(url.searchParams.get('epoch')) < state.epoch) return { status: 409, body: { code: 'NODE_SUPERSEDED' } }
    }
    return since === state.revision ? { status: 204 } : { status: 200, body: delta(since) }
  }

  const isEnrollment = (token: string) => !state.isUsed && token === state.enrollmentToken
  const enroll = (token: string, body: { publicKey: string }): Answer => {
    if (!isEnrollment(token)) return { status: 401, body: { code: 'INVALID_TOKEN' } }
    state.isUsed = true
    state.nodeToken = `atrnode_${randomBytes(12).toString('hex')}`
    state.serverKey = body.publicKey
    return { status: 200, body: { nodeToken: state.nodeToken, server } }
  }
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '', 'http://x')
    const path = url.pathname.replace('/vault/v1/node', '')
    state.calls.push(path)
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const body = request.method === 'POST' ? ((await json(request)) as never) : undefined
    if (path === '/enroll' && request.method === 'GET')
      return isEnrollment(token) ? { status: 200, body: { server } } : { status: 401, body: { code: 'INVALID_TOKEN' } }
    if (path === '/enroll') return enroll(token, body as never)
    if (token !== state.nodeToken) return { status: 401, body: { code: 'INVALID_TOKEN' } }
    const epoch = Number(url.searchParams.get('epoch') ?? (body as unknown as { epoch: number }).epoch)
    if (epoch < state.epoch) return { status: 409, body: { code: 'NODE_SUPERSEDED' } }
    if (epoch > state.epoch) {
      state.epoch = epoch
      wake()
    }
    if (path === '/peers') return peersSince(url)
    if (path === '/status') state.status = body as never
    if (path === '/report') state.reports.push(body as never)
    return { status: 204 }
  }
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace('/vault/v1/node', '')
    const usual = () => answer(request)
    latest = response
    const { status, body } = await (state.instead.get(path)?.(usual) ?? usual())
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
    called()
  }

  let latest: ServerResponse | undefined
  let http = await listening(reply, 0)
  const { port } = http.address() as AddressInfo
  const stop = async () => {
    const closed = once(http, 'close')
    http.close()
    http.closeAllConnections()
    wake()
    await closed
  }
  return {
    base: `http://127.0.0.1:${port}`,
    state,
    /** Looks again after each call of the node. */
    until,
    put: (peer: SentPeer) => {
      state.peers.set(peer.publicKey, peer)
      changed(peer.publicKey)
    },
    /** A record as no platform should have it. */
    putAsItIs: (publicKey: string, sent: unknown) => {
      state.peers.set(publicKey, sent)
      changed(publicKey)
    },
    remove: (publicKey: string) => {
      state.peers.delete(publicKey)
      changed(publicKey)
    },
    /** As a restored backup does: it knows neither what came later nor that it came. */
    setBack: (revision: number) => {
      state.revision = revision
      state.log = state.log.filter((entry) => entry.revision <= revision)
      wake()
    },
    /** In bytes, over all epochs; a report that came twice counts once. */
    traffic: (publicKey: string) => {
      const latest = new Map<number, { rx: number; tx: number }>()
      for (const { epoch, peers } of state.reports) {
        const told = peers.find((peer) => peer.publicKey === publicKey)
        if (told) latest.set(epoch, { rx: told.rxBytes, tx: told.txBytes })
      }
      const all = [...latest.values()]
      return { rx: all.reduce((sum, { rx }) => sum + rx, 0), tx: all.reduce((sum, { tx }) => sum + tx, 0) }
    },
    /** Breaks the connection of the latest call instead of answering it. */
    closeOne: (): Answer => {
      latest?.destroy()
      return { status: 204 }
    },
    stop,
    start: async () => {
      http = await listening(reply, port)
    },
  }
}

async function listening(
  reply: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
): Promise<Server> {
  const http = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy())
  })
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  return http
}
