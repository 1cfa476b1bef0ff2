import { randomBytes } from 'node:crypto'
import { type Service, startService, temporaryFolder } from './service.ts'

export type ClusterNode = {
  /** Where the node listens, or did last: after a start it is elsewhere. */
  readonly base: string
  readonly pid: number
  output(): string
  /** `SIGKILL`: at once. `SIGTERM`: in good order. Waits until it is gone. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  start(): Promise<void>
}

export type Cluster = {
  nodes: ClusterNode[]
  admin: Record<string, string>
  stop(): Promise<void>
}

export type ClusterOptions = { nodes: number; databaseUrl: string; environment?: Record<string, string> }

/** So many real processes over one database, with one master key and one admin key. They start at the same moment. */
export async function startCluster({ nodes, databaseUrl, environment = {} }: ClusterOptions): Promise<Cluster> {
  const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
  const shared = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('hex'),
    ADMIN_KEY: adminKey,
    RATE_LIMIT_MAX: '1000000',
    // All callers of a test have one address.
    CONNECTIONS_PER_ADDRESS_MAX: '100000',
    DATA_DIR: await temporaryFolder(),
    LOG_LEVEL: 'warn',
    ...environment,
  }
  const started = await Promise.allSettled(Array.from({ length: nodes }, () => clusterNode(shared)))
  const running = started.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value)
  const stop = async () => void (await Promise.all(running.map((node) => node.stop('SIGKILL'))))
  const failed = started.find((outcome) => outcome.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  return { nodes: running, admin: { 'x-admin-key': adminKey }, stop }
}

async function clusterNode(environment: Record<string, string>): Promise<ClusterNode> {
  let service: Service = await startService(environment)
  return {
    get base() {
      return service.base
    },
    get pid() {
      return service.pid
    },
    output: () => service.output(),
    stop: (signal) => service.stop(signal),
    start: async () => {
      service = await startService(environment)
    },
  }
}
