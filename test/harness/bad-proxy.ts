import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { seededRandom } from './seeded-random.ts'

/** What happens to a request, instead of the answer of the service. */
const faults = ['cut before', 'cut after', 'repeated', 'too many', 'unavailable'] as const
type Fault = (typeof faults)[number]

export type BadProxy = { base: string; counts: Record<Fault | 'passed', number>; close(): void }

/**
 * An HTTP proxy that treats a part of the requests badly: it cuts the connection before the service has the request or after
 * the service has answered, sends the request twice, or answers 429 or 503 itself.
 */
export async function startBadProxy(to: string, { badShare = 0.35, seed = 1 } = {}): Promise<BadProxy> {
  const random = seededRandom(seed)
  const counts = { 'cut before': 0, 'cut after': 0, repeated: 0, 'too many': 0, unavailable: 0, passed: 0 }

  const serve = async (asked: IncomingMessage, reply: ServerResponse) => {
    const fate = random.fraction() < badShare ? random.oneOf(faults) : 'passed'
    counts[fate] += 1
    const body = await buffer(asked)
    if (fate === 'cut before') return void asked.socket.destroy()
    if (fate === 'too many') return void reply.writeHead(429, { 'retry-after': '0' }).end()
    if (fate === 'unavailable') return void reply.writeHead(503).end('<h1>Sorry</h1>')
    const { method = 'GET', url, headers } = asked
    const sent = { ...(headers as Record<string, string>) }
    for (const name of ['connection', 'host', 'content-length', 'transfer-encoding']) delete sent[name]
    const forward = () => fetch(to + url, { method, headers: sent, ...(body.length > 0 ? { body } : {}) })
    const [answer] = await Promise.all(fate === 'repeated' ? [forward(), forward()] : [forward()])
    const bytes = Buffer.from((await answer?.arrayBuffer()) ?? [])
    if (fate === 'cut after') return void asked.socket.destroy()
    reply.writeHead(answer?.status ?? 502, { 'content-type': answer?.headers.get('content-type') ?? '' }).end(bytes)
  }
  const server = createServer((asked, reply) => void serve(asked, reply).catch(() => asked.socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    counts,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
