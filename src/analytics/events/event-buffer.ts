import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../http/server-deps.ts'
import { sqlErrorRefusal } from '../../storage/sql-error.ts'
import type { DailyLimits } from './daily-limits.ts'
import type { WriteVisits } from './event-writer.ts'
import type { OverflowRollup } from './overflow-rollup.ts'
import type { recorderMetrics } from './recorder.metrics.ts'
import type { VisitRecord } from './visit.rules.ts'

export type EventBuffer = {
  add(fact: VisitRecord): void
  /** Writes until the buffer is empty. On a database error it rejects and keeps what is not written. */
  writeAll(): Promise<void>
  size(): number
}

/** With a separate database server larger batches only help. */
const batchMax = 500
/** The embedded database works in our thread: this many take about 8 ms, and 500 up to 15 ms if few are alike. */
const embeddedBatchMax = 250
/** Half a kilobyte each. */
const factsMax = 20_000

type Parts = {
  write: WriteVisits
  condensed: OverflowRollup
  limits: DailyLimits
  counted: ReturnType<typeof recorderMetrics>
  log: Log
  isEmbedded: boolean
}

/** Visits that are ready to be written, in order. Beyond its capacity, or the day's, they are rolled up. */
export function eventBuffer({ write, condensed, limits, counted, log, isEmbedded }: Parts): EventBuffer {
  const sizeMax = isEmbedded ? embeddedBatchMax : batchMax
  let facts: VisitRecord[] = []
  // After a failure it is unknown whether the first batch was written.
  let isUncertain = false

  /** Finds, by halving, a visit that the database can never store, so that it does not block the others. */
  const writeBatch = async (batch: VisitRecord[]): Promise<void> => {
    try {
      await write(batch, isUncertain)
    } catch (error) {
      if (!isPermanentError(error)) throw error
      if (batch.length === 1) return drop(batch, error)
      const middle = Math.ceil(batch.length / 2)
      await writeBatch(batch.slice(0, middle))
      await writeBatch(batch.slice(middle))
      return
    }
    counted.written.add(countVisits(batch))
  }

  const drop = (batch: VisitRecord[], error: unknown): void => {
    counted.lost.add(countVisits(batch))
    log.error({ err: error, type: batch[0]?.type }, 'the database refuses a visit')
  }

  const writeAll = async (): Promise<void> => {
    while (facts.length > 0 || condensed.visits() > 0) {
      if (facts.length === 0) facts = condensed.take()
      const batch = facts.slice(0, sizeMax)
      try {
        await writeBatch(batch)
        isUncertain = false
      } catch (error) {
        isUncertain = true
        throw error
      }
      facts.splice(0, batch.length)
      // Let requests run between two batches.
      await nextTurn()
    }
  }

  return {
    add: (given) => {
      const fact = limits.bounded(given)
      if (!limits.hasLine(fact)) condensed.addPlainly(fact)
      else if (facts.length >= factsMax) condensed.add(fact)
      else return void facts.push(fact)
      counted.condensed.add()
    },
    writeAll,
    size: () => facts.length,
  }
}

/** Whether a retry cannot help: a value that does not fit its column, or a violated constraint. */
function isPermanentError(error: unknown): boolean {
  const code = sqlErrorRefusal(error)?.code
  return code === 'VALIDATION_ERROR' || code === 'STATE_CONFLICT'
}

function countVisits(facts: VisitRecord[]): number {
  return facts.reduce((sum, { visits }) => sum + visits, 0)
}
