import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** A node may come back elsewhere: its address is asked for each time. */
export type Backend = { readonly base: string }

export type Balancer = {
  base: string
  /** Requests that found their first node gone before anything was sent, and went to another. */
  retries(): number
  /** Asks all nodes whether they are ready, at once instead of with the next probe. */
  probe(): Promise<void>
  close(): Promise<void>
}

type Member = { backend: Backend; failures: number }
type Sent = { answer: IncomingMessage } | { isUnsent: boolean; error: Error }

// One lost probe is no failure.
const failuresMax = 2

/**
 * An HTTP balancer as operators have one: in turn over the nodes whose `/health` says ready, connections kept open. It
 * sends a request to another node only where connecting failed; once a byte has left nobody can know what came of it,
 * and the client gets 502.
 */
export async function startBalancer(backends: Backend[], { probeMs = 100 } = {}): Promise<Balancer> {
  const members: Member[] = backends.map((backend) => ({ backend, failures: failuresMax }))
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let retries = 0

  const probe = async () => {
    await Promise.all(
      members.map(async (member) => {
        member.failures = (await isReady(member.backend)) ? 0 : member.failures + 1
      }),
    )
  }
  const serve = async (asked: IncomingMessage, reply: ServerResponse) => {
    const body = await bytesOf(asked).catch(() => null)
    if (body === null) return
    for (let attempt = 0; attempt < members.length; attempt++) {
      const ready = members.filter(({ failures }) => failures < failuresMax)
      const choice = ready.length > 0 ? ready : members // then it is more likely the probe that is wrong
      const member = choice[turn++ % choice.length] as Member
      const sent = await send({ to: member.backend, asked, body, agent })
      if ('answer' in sent) return void pass(sent.answer, reply)
      if (sent.isUnsent) member.failures = failuresMax
      if (!sent.isUnsent) return void reply.writeHead(502).end(`The node gave no answer: ${sent.error.message}`)
      retries++
    }
    reply.writeHead(502).end('No node takes a connection')
  }

  await probe()
  const probing = setInterval(() => void probe(), probeMs)
  const server = createServer((asked, reply) => void serve(asked, reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    retries: () => retries,
    probe,
    close: async () => {
      clearInterval(probing)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function isReady({ base }: Backend): Promise<boolean> {
  const answer = await fetch(`${base}/health`, { signal: AbortSignal.timeout(2500) }).catch(() => null)
  await answer?.body?.cancel()
  return answer?.status === 200
}

async function bytesOf(asked: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of asked) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type Sending = { to: Backend; asked: IncomingMessage; body: Buffer; agent: Agent }

function send({ to, asked, body, agent }: Sending): Promise<Sent> {
  const { method, url, headers } = asked
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const outgoing = request(to.base + url, { method, headers: { ...headers, connection: 'keep-alive' }, agent })
  let isConnected = false
  outgoing.on('socket', (socket) => {
    isConnected = !socket.connecting
    if (socket.connecting) socket.once('connect', () => (isConnected = true))
  })
  outgoing.on('response', (answer) => resolve({ answer }))
  outgoing.on('error', (error) => resolve({ isUnsent: !isConnected, error }))
  outgoing.end(body)
  return promise
}

function pass(answer: IncomingMessage, reply: ServerResponse): void {
  const { connection: _, 'keep-alive': __, ...headers } = answer.headers
  reply.writeHead(answer.statusCode ?? 502, headers)
  answer.on('error', () => reply.destroy())
  answer.pipe(reply)
}
