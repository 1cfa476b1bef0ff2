import type { ReportedPeer } from './counters.ts'
import type { Rejection } from './peer.ts'
import { isServerRecord, type ServerRecord } from './server-record.ts'

export type Delta = { kind: 'delta'; revision: number; upserts: unknown[]; removes: string[] }
export type Snapshot = { kind: 'snapshot'; revision: number; count: number; sha256: string; peers: unknown[] }

/** The platform understood and said no. `code` as in its problem answers. */
export class PlatformRefused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(`The platform answered ${status} ${code}`)
    this.status = status
    this.code = code
  }
}

export type Platform = {
  enroll(token: string, body: Enrollment): Promise<{ nodeToken: string; server: ServerRecord }>
  /** Null when nothing changed while it waited. */
  peers(since: number, signal: AbortSignal): Promise<Delta | Snapshot | null>
  status(body: { appliedRevision: number; rejected: Rejection[] }): Promise<void>
  report(body: { seq: number; peers: ReportedPeer[] }): Promise<void>
}
export type Enrollment = { publicKey: string; agentVersion: string; endpointHost?: string; endpointPort?: number }

type Call = { method: 'GET' | 'POST'; path: string; token: string; body?: unknown; signal?: AbortSignal }

const timeoutMs = 15_000

/** `fetch` of Node, and errors for whatever is not an answer of the protocol. `token` is asked for at each call. */
export function platformAt(
  base: string,
  node: { token: () => string; epoch: () => number; waitSeconds: number },
): Platform {
  const callOnce = async ({ method, path, token, body, signal }: Call): Promise<unknown> => {
    const limit = AbortSignal.timeout(timeoutMs + (signal ? node.waitSeconds * 1000 : 0))
    const response = await fetch(`${base.replace(/\/+$/, '')}/vault/v1/node${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      // A redirect would carry the token to whoever is named there.
      redirect: 'error',
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await textOf(response)
    if (!response.ok) throw new PlatformRefused(response.status, codeOf(text))
    return response.status === 204 ? null : JSON.parse(text)
  }
  /** All but the enrollment may be sent twice without a second effect. */
  const call = (it: Call): Promise<unknown> =>
    callOnce(it).catch((error) => {
      if (wasClosed(error) && !it.signal?.aborted) return callOnce(it)
      throw error
    })
  const post = async (path: string, body: object) => {
    await call({ method: 'POST', path, token: node.token(), body: { epoch: node.epoch(), ...body } })
  }
  return {
    enroll: async (token, body) => enrolled(await callOnce({ method: 'POST', path: '/enroll', token, body })),
    peers: async (since, signal) => {
      const path = `/peers?since=${since}&epoch=${node.epoch()}&wait=${node.waitSeconds}`
      return changes(await call({ method: 'GET', path, token: node.token(), signal }))
    },
    status: (body) => post('/status', body),
    report: (body) => post('/report', body),
  }
}

class Malformed extends Error {}

/** A snapshot of 60,000 peers has about 15 MB. */
const answerBytesMax = 64 * 1024 * 1024

/** Rejects where it is longer: whoever answers must not fill the memory of the node. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > answerBytesMax) throw new Malformed(`The platform answered with more than ${answerBytesMax} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The platform closed a connection that was kept open, while changes were applied for longer than it keeps one. */
function wasClosed(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(cause?.code ?? '')
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code ?? '')
  } catch {
    return ''
  }
}

/** Only the frame is looked at; each peer is judged by itself. */
function changes(answer: unknown): Delta | Snapshot | null {
  if (answer === null) return null
  if (typeof answer !== 'object') throw new Malformed('The platform answered neither a delta nor a snapshot')
  const it = answer as Delta | Snapshot
  const isRevision = Number.isSafeInteger(it.revision) && it.revision >= 0
  if (it.kind === 'delta' && isRevision && Array.isArray(it.upserts) && isTexts(it.removes)) return it
  if (it.kind === 'snapshot' && isRevision && Array.isArray(it.peers)) return it
  throw new Malformed('The platform answered neither a delta nor a snapshot')
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')

function enrolled(answer: unknown): { nodeToken: string; server: ServerRecord } {
  const { nodeToken, server } = (answer ?? {}) as Record<string, unknown>
  // The token goes into a header.
  if (typeof nodeToken !== 'string' || !/^[\x21-\x7e]{1,256}$/.test(nodeToken) || !isServerRecord(server)) {
    throw new Malformed('The platform answered the enrollment without what a server needs')
  }
  return { nodeToken, server }
}
