import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { utcDay } from '../../kernel/period.ts'
import { type DailyLimits, dailyLimits } from './daily-limits.ts'
import { eventBuffer } from './event-buffer.ts'
import type { WriteVisits } from './event-writer.ts'
import { overflowRollup } from './overflow-rollup.ts'
import { recorderMetrics } from './recorder.metrics.ts'
import type { UserAgents } from './user-agents.ts'
import { type RecordedVisit, toVisitRecord } from './visit.rules.ts'
import type { RecordVisit } from './visit-event.ts'
import type { VisitorKeys } from './visitor-keys.ts'

export type Recorder = {
  recordVisit: RecordVisit
  /** Writes everything recorded before the call. If the database is unreachable, logs it and keeps the visits in memory. */
  flush(): Promise<void>
}

export type RecorderDeps = {
  clock: Clock
  log: Log
  metrics: Metrics
  agents: UserAgents
  visitorKeys: VisitorKeys
  write: WriteVisits
  /** Whether the database works in this process. */
  isEmbedded: boolean
  limits?: DailyLimits
}

/** A kill can lose this much. */
const delayMs = 250
const earlyAt = 500
/** Unprocessed visits hold the headers of their requests: a kilobyte or two each. */
const notedMax = 8192
const sliceMs = 2
/** How many visits are processed between two looks at the clock. */
const sliceCheckEach = 32
const flushTriesMax = 3
const dayMs = 24 * 3600 * 1000
/** The pause between two tries while the database is unreachable. */
const pauseMsMax = 5000

/**
 * Records visits at almost no cost to the request: one push to an array. Visits are processed and written a moment later,
 * in slices. Memory is bounded without dropping visits: if the event loop is too busy for slices, a visit is processed at
 * once, in some microseconds; if the database is unreachable for long, visits are rolled up to counts.
 */
export function recorder(deps: RecorderDeps): Recorder {
  const { clock, log, metrics, agents, visitorKeys, write, isEmbedded, limits = dailyLimits() } = deps
  const noted: RecordedVisit[] = []
  const nameOf = dayFormatter()
  let timer: NodeJS.Timeout | null = null
  let failuresInRow = 0
  let pausedUntilMs = 0
  const condensed = overflowRollup()
  const waiting = () => ({ noted: noted.length, facts: queue.size(), condensed: condensed.visits() })
  const counted = recorderMetrics(metrics, waiting)
  const queue = eventBuffer({ write, condensed, limits, counted, log, isEmbedded })

  const processVisit = (visit: RecordedVisit): void => {
    const fact = toVisitRecord(visit, {
      agentOf: agents.of,
      hashVisitor: visitorKeys.of(visit.at),
      day: nameOf(visit.at),
    })
    if (fact === null) counted.prefetched.add()
    else queue.add(fact)
  }

  const processAll = async (): Promise<void> => {
    await agents.load()
    let startedMs = performance.now()
    while (noted.length > 0) {
      const count = noted.length
      // Fails while the database is unreachable: visits wait for their day's key until there are too many.
      await visitorKeys.load(noted.map(({ at }) => at))
      for (const [index, visit] of noted.splice(0, count).entries()) {
        processVisit(visit)
        if (index % sliceCheckEach !== 0 || performance.now() - startedMs < sliceMs) continue
        await nextTurn()
        startedMs = performance.now()
      }
    }
  }

  const workOutOnce = singleFlight(processAll)
  const writeOnce = singleFlight(queue.writeAll)

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
      if (noted.length >= notedMax) return processVisit({ event, visit, at })
      const count = noted.push({ event, visit, at })
      if (count === earlyAt) setImmediate(() => void drain())
      else if (timer === null) plan()
    },
    flush: async () => {
      // Visits recorded during a run need another run.
      for (let tries = 0; tries < flushTriesMax && isWaiting(); tries++) {
        pausedUntilMs = 0
        await drain()
      }
      if (timer !== null) clearTimeout(timer)
      timer = null
      if (!isWaiting()) return
      const { noted: untouched, facts, condensed: counts } = waiting()
      log.error({ visits: untouched + facts + counts }, 'the last visits could not be stored')
    },
  }
}

/** Caches the last day: visits come in order of time, so formatting a date is rarely needed. */
function dayFormatter(): (at: Date) => string {
  let [startMs, name] = [Number.NaN, '']
  return (at) => {
    const sinceMs = at.getTime() - startMs
    if (sinceMs >= 0 && sinceMs < dayMs) return name
    startMs = Math.floor(at.getTime() / dayMs) * dayMs
    name = utcDay(at)
    return name
  }
}

/** Runs one at a time; callers during a run share its result. */
function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
