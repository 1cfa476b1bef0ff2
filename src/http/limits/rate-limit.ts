import { type CountedCaller, Refusal } from '../../kernel/refusal.ts'

/** A bucket's verdict on a request. `resetSeconds`: until the current window ends. `retryAfterSeconds`: until a request fits again. */
export type Verdict = {
  isAllowed: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
  retryAfterSeconds: number
}

/** Counts requests by bucket: in memory for one node, in Redis for several. */
export type RateCounter = {
  /** Counts one request unless the bucket is full. */
  take(bucket: string, limit: number, now: Date): Promise<Verdict>
  /** The same verdict without counting. */
  peek(bucket: string, limit: number, now: Date): Promise<Verdict>
}

/** A bucket's counts in the current and the previous window. */
export type Counts = { current: number; previous: number }

/** The position of a time in its window. `weight` is the share of the previous window within the last `windowMs`. */
export type WindowPosition = { index: number; elapsedMs: number; windowMs: number; weight: number }

type Window = Counts & { index: number }

export function windowPosition(now: Date, windowSeconds: number): WindowPosition {
  const windowMs = windowSeconds * 1000
  const index = Math.floor(now.getTime() / windowMs)
  const elapsedMs = now.getTime() - index * windowMs
  return { index, elapsedMs, windowMs, weight: 1 - elapsedMs / windowMs }
}

/**
 * A sliding window from two counters. The previous window counts by the share that lies within the last `windowMs`, so that
 * a burst across a window's edge cannot double the limit.
 * @param counts before this request.
 */
function computeVerdict(
  counts: Counts,
  { moment, limit, cost }: { moment: WindowPosition; limit: number; cost: 0 | 1 },
): Verdict {
  const used = Math.ceil(counts.previous * moment.weight - 1e-9) + counts.current
  const isAllowed = used + 1 <= limit
  return {
    isAllowed,
    limit,
    windowSeconds: moment.windowMs / 1000,
    remaining: Math.max(0, limit - used - (isAllowed ? cost : 0)),
    resetSeconds: Math.ceil((moment.windowMs - moment.elapsedMs) / 1000),
    retryAfterSeconds: isAllowed ? 0 : secondsUntilFree(counts, moment, limit),
  }
}

/** The time until the weight of the previous window has fallen far enough, in this window or the next. */
function secondsUntilFree(
  { current, previous }: Counts,
  { elapsedMs, windowMs }: WindowPosition,
  limit: number,
): number {
  const free = limit - 1 - current
  if (free >= 0 && previous > 0) return Math.max(1, Math.ceil((windowMs * (1 - free / previous) - elapsedMs) / 1000))
  const intoNextMs = current === 0 ? 0 : windowMs * Math.max(0, 1 - (limit - 1) / current)
  return Math.max(1, Math.ceil((windowMs - elapsedMs + intoNextMs) / 1000))
}

export type MemoryRateCounter = RateCounter & {
  /** Raises the bucket's counts to at least these of another node. */
  raise(bucket: string, counts: Counts, now: Date): void
}

/** Counts for one node. Denied requests do not count. */
export function memoryRateCounter(windowSeconds: number): MemoryRateCounter {
  const windows = new Map<string, Window>()
  let sweptIndex = 0

  const windowOf = (bucket: string, index: number): Window => {
    if (index !== sweptIndex) {
      for (const [name, window] of windows) if (window.index < index - 1) windows.delete(name)
      sweptIndex = index
    }
    const known = windows.get(bucket)
    if (known?.index === index) return known
    return { index, current: 0, previous: known?.index === index - 1 ? known.current : 0 }
  }

  return {
    take: async (bucket, limit, now) => {
      const moment = windowPosition(now, windowSeconds)
      const window = windowOf(bucket, moment.index)
      const verdict = computeVerdict(window, { moment, limit, cost: 1 })
      if (verdict.isAllowed) {
        window.current++
        windows.set(bucket, window)
      }
      return verdict
    },
    peek: async (bucket, limit, now) => {
      const moment = windowPosition(now, windowSeconds)
      return computeVerdict(windowOf(bucket, moment.index), { moment, limit, cost: 0 })
    },
    raise: (bucket, { current, previous }, now) => {
      const window = windowOf(bucket, windowPosition(now, windowSeconds).index)
      window.current = Math.max(window.current, current)
      window.previous = Math.max(window.previous, previous)
      windows.set(bucket, window)
    },
  }
}

/**
 * `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers, and the older names that many clients read
 * (reset in Unix seconds). In a sliding window the end of a window frees nothing at once, so a refused caller gets the time
 * of `Retry-After` as reset; otherwise its next request would be refused again.
 */
export function rateLimitHeaders(verdict: Verdict, now: Date): Record<string, string> {
  const { isAllowed, windowSeconds } = verdict
  const resetSeconds = isAllowed ? verdict.resetSeconds : verdict.retryAfterSeconds
  const nowSeconds = now.getTime() / 1000
  return {
    'ratelimit-policy': `"default";q=${verdict.limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${verdict.remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String((isAllowed ? Math.floor(nowSeconds) : Math.ceil(nowSeconds)) + resetSeconds),
  }
}

const countedTexts: Record<CountedCaller, string> = {
  ADDRESS: 'this client address',
  API_KEY_AT_ADDRESS: 'this API key at this client address',
  USER: 'this user',
  ADMIN_KEY: 'this admin key',
  BROWSER_SESSION: 'this browser session',
  NODE: 'this node',
  RUNNER: 'this runner',
  CONNECTION: 'this connection',
}

/**
 * Says which limit refused the request: whom it counts, how much fits, and until when it refuses.
 * @param of.what what the bucket counts, in the plural. Default: requests.
 */
export function rateLimitRefusal(
  { limit: max, windowSeconds, retryAfterSeconds }: Verdict,
  { counted, what = 'requests', now }: { counted: CountedCaller; what?: string; now: Date },
): Refusal {
  const until = new Date(Math.ceil(now.getTime() / 1000) * 1000 + retryAfterSeconds * 1000)
  return new Refusal('RATE_LIMITED', {
    detail: `At most ${max} ${what} in ${windowSeconds} seconds, counted for ${countedTexts[counted]}. The next one is possible at ${until.toISOString()}.`,
    limit: { counted, max, windowSeconds, until },
    retryAfterSeconds,
  })
}

/** One bucket per IPv4 address and per IPv6 /64, because a household or host usually has a whole /64. */
export function addressBucket(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
