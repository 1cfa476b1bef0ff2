import { firstDeviceOffset, highestOffset } from '../wireguard/address.rules.ts'

export const serverStatuses = ['ACTIVE', 'DRAINING', 'DISABLED'] as const
export type ServerStatus = (typeof serverStatuses)[number]

export const healths = ['ONLINE', 'STALE', 'OFFLINE'] as const
export type Health = (typeof healths)[number]

/** What an administrator states of a server. `mtu` is in bytes, `capacity` in devices. */
export type ServerTerms = {
  name: string
  region: string
  publicIp: string
  endpointHost: string
  endpointPort: number
  /** Null until the server's node has made its pair. */
  publicKey: string | null
  subnet4: string
  subnet6: string
  dns: string[]
  mtu: number
  capacity: number
}

export type Server = ServerTerms & {
  id: string
  status: ServerStatus
  activeCount: number
  isBuiltIn: boolean
  /** Whether a node applies the peers and reports; without one they count as applied. */
  hasAgent: boolean
  lastSeenAt: Date | null
  agentVersion: string | null
  /** What the node is to have applied, and what it says it has. */
  revision: number
  appliedRevision: number
  /** What the node could not set up: reasons by public key. */
  rejectedPeers: Record<string, string>
}

/** An agent reports every 15 s: four missed reports. */
export const onlineMs = 60_000
const staleMs = 300_000

/** Derived and never stored. A server without an agent has nobody to be missed. */
export function healthOf({ hasAgent, lastSeenAt }: Pick<Server, 'hasAgent' | 'lastSeenAt'>, now: Date): Health {
  if (!hasAgent) return 'ONLINE'
  if (lastSeenAt === null) return 'OFFLINE'
  const silentMs = now.getTime() - lastSeenAt.getTime()
  if (silentMs <= onlineMs) return 'ONLINE'
  return silentMs <= staleMs ? 'STALE' : 'OFFLINE'
}

/** Whether there is a node that would answer now. */
export function isOnline(server: Pick<Server, 'hasAgent' | 'lastSeenAt'>, now: Date): boolean {
  return server.hasAgent && healthOf(server, now) === 'ONLINE'
}

/** An agent that was last seen before this moment is OFFLINE. */
export function offlineBefore(now: Date): Date {
  return new Date(now.getTime() - staleMs)
}

/** How many devices have room in a canonical IPv4 subnet. */
export function deviceRoom(subnet4: string): number {
  return highestOffset(subnet4) - firstDeviceOffset + 1
}

/** Host and port as one text, an IPv6 address in brackets. */
export function endpointOf({ endpointHost, endpointPort }: Pick<ServerTerms, 'endpointHost' | 'endpointPort'>): string {
  return endpointHost.includes(':') ? `[${endpointHost}]:${endpointPort}` : `${endpointHost}:${endpointPort}`
}

/** The fields that stand in the config file of every device of the server. */
const configFields = ['endpointHost', 'endpointPort', 'publicKey', 'dns', 'mtu'] as const

export function isConfigChanged(before: ServerTerms, after: ServerTerms): boolean {
  return configFields.some((field) => !isSame(before[field], after[field]))
}

export type Changes = Record<string, { from: unknown; to: unknown }>

/** Old and new value of each field that differs. */
export function changesOf<T extends ServerTerms>(before: T, after: T): Changes {
  const names = Object.keys(after) as (keyof T & string)[]
  const changed = names.filter((name) => !isSame(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

/** Texts, numbers, and lists of texts. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
