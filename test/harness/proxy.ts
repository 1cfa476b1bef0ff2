import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * `swallow`: a network that carries nothing and says nothing; once it is mended it delivers what it holds, as TCP would.
 * `reset`: connections are made and torn down. `refuse`: nobody listens. All hold for connections that are open, too.
 */
export type Fault = 'pass' | 'swallow' | 'reset' | 'refuse'

export type TcpProxy = {
  port: number
  /** The given address with this proxy's host and port in it. */
  before(url: string): string
  set(fault: Fault): Promise<void>
  /** How long everything takes in each direction. */
  delay(ms: number): void
  /** Connections that are open at the moment. */
  connections(): number
  close(): Promise<void>
}

type Pair = { near: Socket; far: Socket }

/** A TCP proxy on 127.0.0.1 before the server of an address, whose network can be broken and mended at run time. */
export async function startProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url)
  const pairs = new Set<Pair>()
  let fault: Fault = 'pass'
  let delayMs = 0
  let mended = Promise.withResolvers<void>()
  mended.resolve()

  /** Carries bytes one way, in order, as the fault of the moment lets them. */
  const carry = (from: Socket, to: Socket) => {
    let last = Promise.resolve()
    const inTurn = (act: () => void) => {
      const waitMs = delayMs
      last = last
        .then(() => (waitMs > 0 ? delay(waitMs) : undefined))
        .then(() => mended.promise)
        .then(act)
    }
    from.on('data', (bytes) => inTurn(() => void (to.writable && to.write(bytes))))
    from.on('end', () => inTurn(() => void to.end()))
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    near.on('error', () => undefined)
    if (fault === 'reset') {
      near.resetAndDestroy()
      return
    }
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true, allowHalfOpen: true })
    const pair = { near, far }
    pairs.add(pair)
    far.on('error', () => near.resetAndDestroy())
    const part = async () => {
      await mended.promise // such a network does not carry the news of an end either
      pairs.delete(pair)
      for (const socket of [near, far]) socket.destroy()
    }
    near.on('close', part)
    far.on('close', part)
    carry(near, far)
    carry(far, near)
  })

  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }
  const tear = () => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.resetAndDestroy()
  }
  const port = await listen(0)

  return {
    port,
    before: (address) => {
      const through = new URL(address)
      through.host = `127.0.0.1:${port}`
      return through.href
    },
    set: async (next) => {
      fault = next
      if (next === 'swallow') mended = Promise.withResolvers()
      else mended.resolve()
      if (next === 'reset' || next === 'refuse') tear()
      if (next === 'refuse' && server.listening) server.close()
      if (next !== 'refuse' && !server.listening) await listen(port)
    },
    delay: (ms) => {
      delayMs = ms
    },
    connections: () => pairs.size,
    close: async () => {
      mended.resolve()
      tear()
      if (server.listening) server.close()
    },
  }
}
