import type { ReportedPeer } from './counters.ts'
import type { Rejection } from './peer.ts'
import { isServerRecord, type ServerRecord } from './server-record.ts'

export type Delta = { kind: 'delta'; revision: number; upserts: unknown[]; removes: string[] }
export type Snapshot = { kind: 'snapshot'; revision: number; count: number; sha256: string; peers: unknown[] }

/** The platform refused a request. `code` is the error code of its answer. */
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
  /** The server that the token is for. Does not use the token up. */
  enrollment(token: string): Promise<ServerRecord>
  enroll(token: string, body: Enrollment): Promise<{ nodeToken: string; server: ServerRecord }>
  /** Null when nothing changed during the wait. */
  peers(since: number, signal: AbortSignal): Promise<Delta | Snapshot | null>
  status(body: { appliedRevision: number; rejected: Rejection[] }): Promise<void>
  report(body: { seq: number; peers: ReportedPeer[] }): Promise<void>
}
export type Enrollment = { publicKey: string; agentVersion: string; endpointHost?: string; endpointPort?: number }

type Call = { method: 'GET' | 'POST'; path: string; token: string; body?: unknown; signal?: AbortSignal }

const timeoutMs = 15_000

type Connection = {
  token: () => string
  epoch: () => number
  waitSeconds: number
  /** Whether devices may ask for names at the server's tunnel address. */
  servesDns?: boolean
  /** Ends all calls. */
  signal?: AbortSignal
}

/** Calls the platform; rejects for any answer that is not of the protocol. Reads `token` at each call. */
export function platformClient(base: string, node: Connection): Platform {
  const callOnce = async ({ method, path, token, body, signal }: Call): Promise<unknown> => {
    const limit = AbortSignal.timeout(timeoutMs + (signal ? node.waitSeconds * 1000 : 0))
    const response = await fetch(`${base.replace(/(?<!\/)\/+$/, '')}/vault/v1/node${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.any([limit, signal, node.signal].filter((each) => each !== undefined)),
      // A redirect would send the token to another host.
      redirect: 'error',
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await readBody(response)
    if (!response.ok) throw new PlatformRefused(response.status, errorCode(text))
    return response.status === 204 ? null : JSON.parse(text)
  }
  /** Repeats a call whose kept-alive connection was closed. Every call except the enrollment is idempotent. */
  const call = (it: Call): Promise<unknown> =>
    callOnce(it).catch((error) => {
      if (wasConnectionClosed(error) && !it.signal?.aborted && !node.signal?.aborted) return callOnce(it)
      throw error
    })
  const post = async (path: string, body: object) => {
    await call({ method: 'POST', path, token: node.token(), body: { epoch: node.epoch(), ...body } })
  }
  return {
    enrollment: async (token) => {
      const answer = (await callOnce({ method: 'GET', path: '/enroll', token })) as { server?: unknown } | null
      if (isServerRecord(answer?.server)) return answer.server
      throw new Malformed('The platform’s answer does not describe a server')
    },
    enroll: async (token, body) => parseEnrollment(await callOnce({ method: 'POST', path: '/enroll', token, body })),
    peers: async (since, signal) => {
      const path = `/peers?since=${since}&epoch=${node.epoch()}&wait=${node.waitSeconds}`
      return parseChanges(await call({ method: 'GET', path, token: node.token(), signal }))
    },
    status: (body) => post('/status', { servesDns: node.servesDns ?? false, ...body }),
    report: (body) => post('/report', body),
  }
}

class Malformed extends Error {}

/** A snapshot of 60,000 peers has about 15 MB. */
const answerBytesMax = 64 * 1024 * 1024

/** Rejects a longer body, so that no answer can fill the memory of the node. */
async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > answerBytesMax) throw new Malformed(`The platform answered with more than ${answerBytesMax} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Whether the platform closed an idle connection, which happens when applying changes takes long. */
function wasConnectionClosed(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(cause?.code ?? '')
}

function errorCode(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code ?? '')
  } catch {
    return ''
  }
}

/** Checks the envelope only; each peer is checked by itself later. */
function parseChanges(answer: unknown): Delta | Snapshot | null {
  if (answer === null) return null
  if (typeof answer !== 'object') throw new Malformed('The platform answered neither a delta nor a snapshot')
  const it = answer as Delta | Snapshot
  const isRevision = Number.isSafeInteger(it.revision) && it.revision >= 0
  if (it.kind === 'delta' && isRevision && Array.isArray(it.upserts) && isStringArray(it.removes)) return it
  if (it.kind === 'snapshot' && isRevision && Array.isArray(it.peers)) return it
  throw new Malformed('The platform answered neither a delta nor a snapshot')
}

const isStringArray = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')

function parseEnrollment(answer: unknown): { nodeToken: string; server: ServerRecord } {
  const { nodeToken, server } = (answer ?? {}) as Record<string, unknown>
  // The token is sent in a header.
  if (typeof nodeToken !== 'string' || !/^[\x21-\x7e]{1,256}$/.test(nodeToken) || !isServerRecord(server)) {
    throw new Malformed('The platform’s answer to the enrollment lacks required fields')
  }
  return { nodeToken, server }
}
