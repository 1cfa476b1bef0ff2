import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../http/server-deps.ts'
import { sqlErrorRefusal } from '../../storage/sql-error.ts'
import type { Condensation } from './condensation.ts'
import type { DailyLimits } from './daily-limits.ts'
import type { WriteFacts } from './event-writer.ts'
import type { recorderMetrics } from './recorder.metrics.ts'
import type { Fact } from './visit.rules.ts'

export type FactQueue = {
  add(fact: Fact): void
  /** Until nothing is left; fails with the database's error, and everything that is not written is kept. */
  writeAll(): Promise<void>
  size(): number
}

/** On a server of its own more visits at once only help. */
const batchMax = 500
/** The embedded database works in our thread: so many take about 8 ms of it, and 500 as much as 15 where few are alike. */
const embeddedBatchMax = 250
/** Half a kilobyte each. */
const factsMax = 20_000

type Parts = {
  write: WriteFacts
  condensed: Condensation
  limits: DailyLimits
  counted: ReturnType<typeof recorderMetrics>
  log: Log
  isEmbedded: boolean
}

/** Visits that are ready to be written, in their order. Beyond its room, and the day's, they are condensed. */
export function factQueue({ write, condensed, limits, counted, log, isEmbedded }: Parts): FactQueue {
  const sizeMax = isEmbedded ? embeddedBatchMax : batchMax
  let facts: Fact[] = []
  // After a failure nobody knows whether the first batch was written.
  let isUncertain = false

  /** One that the database will never take must not hold up the others: halves find it. */
  const writeBatch = async (batch: Fact[]): Promise<void> => {
    try {
      await write(batch, isUncertain)
    } catch (error) {
      if (!isUnacceptable(error)) throw error
      if (batch.length === 1) return lose(batch, error)
      const middle = Math.ceil(batch.length / 2)
      await writeBatch(batch.slice(0, middle))
      await writeBatch(batch.slice(middle))
      return
    }
    counted.written.add(visitsOf(batch))
  }

  const lose = (batch: Fact[], error: unknown): void => {
    counted.lost.add(visitsOf(batch))
    log.error({ err: error, type: batch[0]?.type }, 'the database does not take a visit')
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
      // Requests have their turn between two batches.
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

/** A value with no room in its column, or a broken rule: no matter of time. */
function isUnacceptable(error: unknown): boolean {
  const code = sqlErrorRefusal(error)?.code
  return code === 'VALIDATION_ERROR' || code === 'STATE_CONFLICT'
}

function visitsOf(facts: Fact[]): number {
  return facts.reduce((sum, { visits }) => sum + visits, 0)
}
