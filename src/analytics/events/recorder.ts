import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { utcDay } from '../../kernel/period.ts'
import type { Agents } from './agents.ts'
import { condensation } from './condensation.ts'
import { type DailyLimits, dailyLimits } from './daily-limits.ts'
import type { WriteFacts } from './event-writer.ts'
import { factQueue } from './fact-queue.ts'
import { recorderMetrics } from './recorder.metrics.ts'
import { factOf, type Noted } from './visit.rules.ts'
import type { RecordVisit } from './visit-event.ts'
import type { VisitorKeys } from './visitor-keys.ts'

export type Recorder = {
  recordVisit: RecordVisit
  /** Writes all that was recorded before the call. What a database that stays away does not take is logged, and kept in memory. */
  flush(): Promise<void>
}

export type RecorderDeps = {
  clock: Clock
  log: Log
  metrics: Metrics
  agents: Agents
  visitorKeys: VisitorKeys
  write: WriteFacts
  /** Whether the database works in this process. */
  isEmbedded: boolean
  limits?: DailyLimits
}

/** What a kill can lose. */
const delayMs = 250
const earlyAt = 500
/** Untouched visits hold the headers of their requests: a kilobyte or two each. */
const notedMax = 8192
const sliceMs = 2
/** The clock is looked at once for so many visits. */
const sliceCheckEach = 32
const flushTriesMax = 3
const dayMs = 24 * 3600 * 1000
/** Between two tries while the database is away. */
const pauseMsMax = 5000

/**
 * Keeps what recording costs away from the request: there, it is one push. Visits are worked out and written a moment
 * later, in slices. Memory is bounded whatever happens, and no visit is dropped for that: while the loop is too busy
 * for slices, a visit is worked out at once, at some microseconds; while the database is away for long, visits are
 * condensed to counts.
 */
export function recorder(deps: RecorderDeps): Recorder {
  const { clock, log, metrics, agents, visitorKeys, write, isEmbedded, limits = dailyLimits() } = deps
  const noted: Noted[] = []
  const nameOf = dayNames()
  let timer: NodeJS.Timeout | null = null
  let failuresInRow = 0
  let pausedUntilMs = 0
  const condensed = condensation()
  const waiting = () => ({ noted: noted.length, facts: queue.size(), condensed: condensed.visits() })
  const counted = recorderMetrics(metrics, waiting)
  const queue = factQueue({ write, condensed, limits, counted, log, isEmbedded })

  const workOut = (visit: Noted): void => {
    const fact = factOf(visit, { agentOf: agents.of, hashVisitor: visitorKeys.of(visit.at), day: nameOf(visit.at) })
    if (fact === null) counted.prefetched.add()
    else queue.add(fact)
  }

  const workOutAll = async (): Promise<void> => {
    await agents.load()
    let startedMs = performance.now()
    while (noted.length > 0) {
      const count = noted.length
      // Fails while the database is away: the visits wait for their day's key, until there are too many of them.
      await visitorKeys.load(noted.map(({ at }) => at))
      for (const [index, visit] of noted.splice(0, count).entries()) {
        workOut(visit)
        if (index % sliceCheckEach !== 0 || performance.now() - startedMs < sliceMs) continue
        await nextTurn()
        startedMs = performance.now()
      }
    }
  }

  const workOutOnce = shared(workOutAll)
  const writeOnce = shared(queue.writeAll)

  const drain = async (): Promise<void> => {
    try {
      await workOutOnce()
      if (performance.now() >= pausedUntilMs) await writeOnce()
      failuresInRow = 0
    } catch (error) {
      counted.failures.add()
      pausedUntilMs = performance.now() + Math.min(delayMs * 2 ** failuresInRow, pauseMsMax)
      failuresInRow += 1
      if (failuresInRow === 1) log.warn({ err: error, ...waiting() }, 'visits are not written yet and wait')
    }
    if (isWaiting()) plan()
  }

  const isWaiting = () => noted.length > 0 || queue.size() > 0 || condensed.visits() > 0
  const plan = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      void drain()
    }, delayMs).unref()
  }

  return {
    recordVisit: (event, visit) => {
      const at = clock.now()
      if (noted.length >= notedMax) return workOut({ event, visit, at })
      const count = noted.push({ event, visit, at })
      if (count === earlyAt) setImmediate(() => void drain())
      else if (timer === null) plan()
    },
    flush: async () => {
      // What was recorded while one ran may need another one.
      for (let tries = 0; tries < flushTriesMax && isWaiting(); tries++) {
        pausedUntilMs = 0
        await drain()
      }
      if (timer !== null) clearTimeout(timer)
      timer = null
      if (!isWaiting()) return
      const { noted: untouched, facts, condensed: counts } = waiting()
      log.error({ visits: untouched + facts + counts }, 'the database did not take the last visits')
    },
  }
}

/** Visits come in the order of time: the day of the one before is nearly always theirs, and costs no date. */
function dayNames(): (at: Date) => string {
  let [startMs, name] = [Number.NaN, '']
  return (at) => {
    const sinceMs = at.getTime() - startMs
    if (sinceMs >= 0 && sinceMs < dayMs) return name
    startMs = Math.floor(at.getTime() / dayMs) * dayMs
    name = utcDay(at)
    return name
  }
}

/** One at a time: whoever asks while it runs waits for the same. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
