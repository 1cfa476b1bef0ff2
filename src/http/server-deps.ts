import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Handle } from '../storage/handle.ts'
import type { PublicRevision } from '../storage/public-revision.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Authenticator } from './access/callers.ts'
import type { DoorSettings } from './access/door.ts'
import type { BodySettings } from './limits/body-settings.ts'
import type { ConnectionLimits } from './limits/connection-limits.ts'
import type { RateCounter } from './limits/rate-limit.ts'
import type { LoopWatch } from './loop-watch.ts'
import type { Route } from './route.ts'
import type { SocketSettings } from './sockets/socket-declaration.ts'

export type RateLimits = { requestsMax: number; authFailuresMax: number; windowSeconds: number }

/** The part of a logger that is needed here; pino has this shape. */
export type Log = Record<'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>

/** Which requests are logged besides failed ones. */
export type RequestLog = {
  slowMs: number
  /** Log one of this many requests; 0 for none. */
  sampleOneOf: number
}

/** Caching of public reads: for how long by clients, and in how much memory here. */
export type PublicCacheSettings = { maxAgeSeconds: number; cacheBytesMax: number }

/** An answered request of a tenant's key or user. */
export type AnsweredRequest = {
  tenantId: string
  /** Null for a request with only a key. */
  userId: string | null
  /** The product of the route. */
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
  /** Told which route the event loop works for. */
  loop: LoopWatch
  rateCounter: RateCounter
  rateLimits: RateLimits
  publicCache: PublicCacheSettings
  publicRevision: Pick<PublicRevision, 'current'>
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted; empty for none. */
  trustedProxies: string[]
  /** Pages that may call from a browser; empty: all. */
  pageOrigins: string[]
  /** How the console signs in. */
  door: DoorSettings
  /** Called after each request. It must not throw, and must be cheap. */
  onAnswered?: (answered: AnsweredRequest) => void
  sockets?: Partial<SocketSettings>
  connections?: Partial<ConnectionLimits>
  bodies?: Partial<BodySettings>
}
