import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Call, Reply } from './call.ts'
import type { EmulatedName, EmulatorClock } from './emulator.ts'
import type { Fault, Faults } from './faults.ts'
import { type Journal, journaledBody } from './journal.ts'
import type { Match } from './router.ts'

export type Target = { provider: EmulatedName | null; match: Match | null }

type Options = {
  port: number
  clock: EmulatorClock
  faults: Faults
  journal: Journal
  find(method: string, host: string, path: string): Target
}

export type EmulatorServer = { origin: string; close(): Promise<void> }

const bodyBytesMax = 20 * 1024 * 1024

/** One port for all: the first segment of the path is the host of the real provider. */
export async function listen({ port, clock, faults, journal, find }: Options): Promise<EmulatorServer> {
  const server = createServer((message, response) => {
    response.on('error', () => undefined)
    answer(message, response).catch(() => message.socket.destroy())
  })

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(message)
    const { provider, match } = find(call.method, call.host, call.path)
    const fault = provider === null ? null : faults.take(provider, call)
    const reply = await produce(call, match, fault)
    if (fault?.answerDelayMs !== undefined) await delay(fault.answerDelayMs)
    // Whoever asked may be gone, as a process that was killed.
    const lost = fault?.lost ?? (response.closed ? ('after' as const) : null)
    const status = reply?.status ?? null
    if (call.host !== 'control') {
      const { method, host, path } = call
      const at = clock.now().toISOString()
      const query = call.query.toString()
      journal.add({
        at,
        provider,
        method,
        host,
        path,
        query,
        status,
        lost,
        body: journaledBody(call),
      })
    }
    if (reply === null || fault?.lost !== undefined) message.socket.destroy()
    else write(response, reply)
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function produce(call: Call, match: Match | null, fault: Fault | null): Promise<Reply | null> {
  if (fault?.delayMs !== undefined) await delay(fault.delayMs)
  if (fault?.lost === 'before') return null
  if (fault?.status !== undefined)
    return { status: fault.status, headers: fault.headers ?? {}, body: fault.answer ?? { error: 'fault' } }
  if (match === null)
    return { status: 404, body: { error: 'not_found', message: `${call.method} ${call.host}${call.path}` } }
  try {
    return await match.handle({ ...call, params: match.params })
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, body: { error: 'invalid_json' } }
    return { status: 500, body: { error: 'emulator', message: String(error) } }
  }
}

async function readCall(message: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of message) {
    chunks.push(chunk as Buffer)
    sizeBytes += (chunk as Buffer).length
    if (sizeBytes > bodyBytesMax) throw new Error('the body is too large')
  }
  const bytes = Buffer.concat(chunks)
  const url = new URL(message.url ?? '/', 'http://emulator')
  const [, host = '', ...rest] = url.pathname.split('/')
  return {
    method: message.method ?? 'GET',
    host,
    path: `/${rest.join('/')}`,
    query: url.searchParams,
    headers: message.headers,
    bytes,
    text: bytes.toString('utf8'),
    params: {},
  }
}

function write(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  if (body === undefined) return void response.writeHead(status, headers).end()
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const contentType = isRaw ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': contentType, ...headers }).end(isRaw ? body : JSON.stringify(body))
}
