import type { Server } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { Metrics } from '../../kernel/metrics.ts'
import { addressBucket } from './rate-limit.ts'

export type ConnectionLimits = {
  /** Maximum for this process. */
  connectionsMax: number
  /** Maximum of one client address, except those of trusted proxies. */
  connectionsPerAddressMax: number
}

export const connectionLimits: ConnectionLimits = {
  // Beside the WebSockets there is room for some thousand requests.
  connectionsMax: 12_000,
  connectionsPerAddressMax: 512,
}

type Outside = {
  trustedProxies: readonly string[]
  metrics: Metrics
  /** Called for each connection that is closed because its address has too many. */
  onRefused(ip: string): void
}

/** Closes connections beyond the limits as they arrive, before anything is read from them. WebSockets count, too. */
export function limitConnections(
  server: Server,
  { connectionsMax, connectionsPerAddressMax }: ConnectionLimits,
  { trustedProxies, metrics, onRefused }: Outside,
): void {
  const isProxy = proxyCheck(trustedProxies)
  const byAddress = new Map<string, number>()
  let open = 0
  metrics.sampled({ name: 'http_connections', help: 'Open connections, WebSockets included.', kind: 'gauge' }, () => [
    { value: open },
  ])
  const refused = metrics.counter({
    name: 'http_connections_refused_total',
    help: 'Connections closed at once: their address, or the process, had too many.',
    labels: ['limit'],
  })
  const [refusedByAddress, refusedByProcess] = [refused('address'), refused('process')]

  server.maxConnections = connectionsMax
  server.on('drop', () => refusedByProcess.add())
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    const ip = socket.remoteAddress
    if (ip === undefined || isProxy(ip)) return
    const address = addressBucket(ip)
    const count = (byAddress.get(address) ?? 0) + 1
    byAddress.set(address, count)
    socket.once('close', () => {
      const rest = (byAddress.get(address) ?? 1) - 1
      if (rest > 0) byAddress.set(address, rest)
      else byAddress.delete(address)
    })
    if (count <= connectionsPerAddressMax) return
    socket.destroy()
    refusedByAddress.add()
    onRefused(ip)
  })
}

/** A trusted proxy holds the connections of many clients. */
function proxyCheck(trustedProxies: readonly string[]): (ip: string) => boolean {
  const proxies = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (ip) => trustedProxies.length > 0 && proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
