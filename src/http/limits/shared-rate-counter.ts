import { withTimeout } from '../../kernel/with-timeout.ts'
import type { Redis } from '../../storage/redis.ts'
import type { Log } from '../server-deps.ts'
import { type Counts, memoryRateCounter, type RateCounter, type Verdict, windowPosition } from './rate-limit.ts'

type RateQuery = { bucket: string; limit: number; now: Date; cost: 0 | 1 }

// How long a request waits for Redis. Then the node decides by the last known counts, and a late answer still counts.
const patienceMsDefault = 50
// While Redis is unreachable, one request per this interval still tries it.
const pauseMs = 1_000

/**
 * Returns the counts of both windows and adds `cost` to the current one if the request fits, with the arithmetic of
 * `computeVerdict`. It is one step, so that two nodes cannot both take the last request.
 */
const script = `
local current = tonumber(redis.call('GET', KEYS[1]) or '0')
local previous = tonumber(redis.call('GET', KEYS[2]) or '0')
local weight, limit, cost, lifeMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local used = math.ceil(previous * weight - 1e-9) + current
if cost == 1 and used + 1 <= limit and redis.call('INCR', KEYS[1]) == 1 then
  redis.call('PEXPIRE', KEYS[1], lifeMs)
end
return {current, previous}`

/**
 * Counts for all nodes with the same Redis; their clocks should agree to a second. Never fails open: while Redis is
 * unreachable the node counts for itself, from the last known counts, and tries again every second. It remembers what it
 * admitted meanwhile, also if Redis returns without its counts. So an unstable Redis cannot raise the limit: each node
 * admits at most the limit, and n nodes n times the limit, whatever happens to Redis.
 */
export function sharedRateCounter({
  redis,
  windowSeconds,
  patienceMs = patienceMsDefault,
  log,
}: {
  redis: Pick<Redis, 'evaluate'>
  windowSeconds: number
  patienceMs?: number
  log: Pick<Log, 'info' | 'warn'>
}): RateCounter {
  const local = memoryRateCounter(windowSeconds)
  let awaySinceMs: number | null = null

  const localVerdict = ({ bucket, limit, now, cost }: RateQuery): Promise<Verdict> =>
    cost === 1 ? local.take(bucket, limit, now) : local.peek(bucket, limit, now)

  const useCounts = ({ bucket, now }: RateQuery, counts: Counts): void => {
    local.raise(bucket, counts, now)
    if (awaySinceMs === null) return
    awaySinceMs = null
    log.info({}, 'Redis is back: the nodes count the rate limits together again')
  }

  const noteOutage = (error: unknown, nowMs: number): void => {
    if (awaySinceMs !== null) return
    awaySinceMs = nowMs
    log.warn({ err: error }, 'Redis is away: until it is back this node counts the rate limits for itself')
  }

  const verdict = async (question: RateQuery): Promise<Verdict> => {
    const nowMs = question.now.getTime()
    // A clock that was set back must not prolong the pause.
    if (awaySinceMs !== null && nowMs >= awaySinceMs && nowMs < awaySinceMs + pauseMs) return localVerdict(question)
    if (awaySinceMs !== null) awaySinceMs = nowMs
    let isLate = false
    // In the same step as reading the answer, so that simultaneous answers are counted one by one.
    const decide = () => (isLate ? null : localVerdict(question))
    const heard = sharedCounts(redis, windowSeconds, question).then(
      (counts) => {
        useCounts(question, counts)
        return decide()
      },
      (error) => {
        noteOutage(error, nowMs)
        return decide()
      },
    )
    const inTime = await withTimeout(patienceMs, heard).catch(() => null)
    if (inTime !== null) return inTime
    isLate = true
    return localVerdict(question)
  }

  return {
    take: (bucket, limit, now) => verdict({ bucket, limit, now, cost: 1 }),
    peek: (bucket, limit, now) => verdict({ bucket, limit, now, cost: 0 }),
  }
}

/** The counts of all nodes before this request. */
async function sharedCounts(
  redis: Pick<Redis, 'evaluate'>,
  windowSeconds: number,
  question: RateQuery,
): Promise<Counts> {
  const { bucket, limit, now, cost } = question
  const moment = windowPosition(now, windowSeconds)
  const counted = await redis.evaluate({
    script,
    keys: [`atrium:rate:${bucket}:${moment.index}`, `atrium:rate:${bucket}:${moment.index - 1}`],
    args: [moment.weight, limit, cost, 2 * moment.windowMs].map(String),
  })
  return parseCounts(counted)
}

function parseCounts(counted: unknown): Counts {
  const [current, previous] = Array.isArray(counted) ? counted : []
  if (typeof current !== 'number' || typeof previous !== 'number') throw new Error('Redis answered no counts')
  return { current, previous }
}
