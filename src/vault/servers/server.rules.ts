import { firstDeviceOffset, highestOffset } from '../wireguard/address.rules.ts'

export const serverStatuses = ['ACTIVE', 'DRAINING', 'DISABLED'] as const
export type ServerStatus = (typeof serverStatuses)[number]

export const healths = ['ONLINE', 'STALE', 'OFFLINE'] as const
export type Health = (typeof healths)[number]

/** What an administrator configures of a server. `mtu` is in bytes, `capacity` in devices. */
export type ServerSettings = {
  name: string
  region: string
  publicIp: string
  endpointHost: string
  endpointPort: number
  /** Null until the server's node has made its key pair. */
  publicKey: string | null
  subnet4: string
  subnet6: string
  /** Resolvers for the configuration files, empty for none; null: see `effectiveDns`. */
  dns: string[] | null
  mtu: number
  capacity: number
}

export type Server = ServerSettings & {
  id: string
  status: ServerStatus
  activeCount: number
  isBuiltIn: boolean
  /** Whether a node applies the peers and reports; without one they count as applied. */
  hasAgent: boolean
  /** Whether the agent says that devices may ask for names at the server's address in the tunnel. */
  servesDns: boolean
  lastSeenAt: Date | null
  agentVersion: string | null
  /** The current revision of the peers, and the one that the node has applied. */
  revision: number
  appliedRevision: number
  /** Peers that the node could not configure: reasons by public key. */
  rejectedPeers: Record<string, string>
}

/** An agent reports every 15 s: four missed reports. */
export const onlineMs = 60_000
const staleMs = 300_000

/** Derived, never stored. A server without an agent counts as online. */
export function serverHealth({ hasAgent, lastSeenAt }: Pick<Server, 'hasAgent' | 'lastSeenAt'>, now: Date): Health {
  if (!hasAgent) return 'ONLINE'
  if (lastSeenAt === null) return 'OFFLINE'
  const silentMs = now.getTime() - lastSeenAt.getTime()
  if (silentMs <= onlineMs) return 'ONLINE'
  return silentMs <= staleMs ? 'STALE' : 'OFFLINE'
}

/** Whether the server has a node that reported recently. */
export function isOnline(server: Pick<Server, 'hasAgent' | 'lastSeenAt'>, now: Date): boolean {
  return server.hasAgent && serverHealth(server, now) === 'ONLINE'
}

/** An agent that was last seen before this moment is OFFLINE. */
export function offlineBefore(now: Date): Date {
  return new Date(now.getTime() - staleMs)
}

/** How many devices fit into a canonical IPv4 subnet. */
export function deviceCount(subnet4: string): number {
  return highestOffset(subnet4) - firstDeviceOffset + 1
}

/** `host:port`, with an IPv6 address in brackets. */
export function formatEndpoint({
  endpointHost,
  endpointPort,
}: Pick<ServerSettings, 'endpointHost' | 'endpointPort'>): string {
  return endpointHost.includes(':') ? `[${endpointHost}]:${endpointPort}` : `${endpointHost}:${endpointPort}`
}

/** Fields that appear in the configuration file of every device of the server. */
const configFields = ['endpointHost', 'endpointPort', 'publicKey', 'dns', 'mtu'] as const

export function isConfigChanged(before: ServerSettings, after: ServerSettings): boolean {
  return configFields.some((field) => !isEqual(before[field], after[field]))
}

export type Changes = Record<string, { from: unknown; to: unknown }>

/** Old and new value of each field that differs. */
export function changedFields<T extends ServerSettings>(before: T, after: T): Changes {
  const names = Object.keys(after) as (keyof T & string)[]
  const changed = names.filter((name) => !isEqual(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

/** For strings, numbers and lists of strings. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
