import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Handle } from '../storage/handle.ts'
import type { PublicRevision } from '../storage/public-revision.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Authenticator } from './access/callers.ts'
import type { RateCounter } from './limits/rate-limit.ts'
import type { Route } from './route.ts'
import type { SocketSettings } from './sockets/socket-declaration.ts'

export type RateLimits = { requestsMax: number; authFailuresMax: number; windowSeconds: number }

/** The few lines of a log that the floor writes; pino has this shape. */
export type Log = Record<'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>

/** Which requests are logged beside those that failed. */
export type RequestLog = {
  slowMs: number
  /** n: one of n requests; 0: none. */
  sampleOneOf: number
}

/** How public reads may be kept: by others for so long without asking, and here in so much memory. */
export type PublicCacheSettings = { maxAgeSeconds: number; cacheBytesMax: number }

/** A request of a tenant's key or user, answered. */
export type AnsweredRequest = {
  tenantId: string
  /** Null: by a key alone. */
  userId: string | null
  /** The one product that the route belongs to. */
  product: string | null
  status: number
}

export type ServerDeps = {
  routes: Route[]
  authenticator: Authenticator
  handle: Handle
  secrets: Secrets
  clock: Clock
  log: Log
  requestLog: RequestLog
  metrics: Metrics
  rateCounter: RateCounter
  rateLimits: RateLimits
  publicCache: PublicCacheSettings
  publicRevision: Pick<PublicRevision, 'current'>
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed; empty: none. */
  trustedProxies: string[]
  /** Pages that may call from a browser; empty: all. */
  pageOrigins: string[]
  /** Told of each, once it is over. Must not throw, and costs every request what it takes. */
  onAnswered?: (answered: AnsweredRequest) => void
  sockets?: Partial<SocketSettings>
}
