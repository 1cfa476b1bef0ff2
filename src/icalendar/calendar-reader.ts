import { workerPool } from '../workers/worker-pool.ts'
import type { Span } from './expand-series.ts'
import { type CalendarCause, CalendarUnreadable, type Expansion, type Invitation, type Series } from './series.ts'

export type CalendarTask = { kind: 'read'; text: string } | { kind: 'expand'; series: Series; span: Span }
export type CalendarAnswer = { invitations: Invitation[] } | { expansion: Expansion } | { unreadable: CalendarCause }

export type CalendarReader = {
  /** The invitations and cancellations in a file. Rejects with CalendarUnreadable, and with UNAVAILABLE where too many wait. */
  readInvitations(text: string): Promise<Invitation[]>
  /** Rejects as `readInvitations`. */
  occurrencesIn(series: Series, span: Span): Promise<Expansion>
}

/**
 * Always in a worker: a rule such as "daily on the 30th of February" makes the library loop without end. The time is long beside the
 * milliseconds that a file needs, so that a busy machine refuses none.
 */
export function calendarReader({ timeoutMs = 20_000 }: { timeoutMs?: number } = {}): CalendarReader {
  const pool = workerPool<CalendarTask, CalendarAnswer>({
    entry: new URL('./calendar.worker.ts', import.meta.url),
    ...{ timeoutMs, queueMax: 200, heapMaxMb: 256, idleMsMax: 5_000, isBackground: true },
    overLimit: () => new CalendarUnreadable('TOO_LARGE'),
  })
  const run = async (task: CalendarTask): Promise<Exclude<CalendarAnswer, { unreadable: CalendarCause }>> => {
    const answer = await pool.run(task)
    if ('unreadable' in answer) throw new CalendarUnreadable(answer.unreadable)
    return answer
  }
  return {
    readInvitations: async (text) => {
      const answer = await run({ kind: 'read', text })
      return 'invitations' in answer ? answer.invitations : []
    },
    occurrencesIn: async (series, span) => {
      const answer = await run({ kind: 'expand', series, span })
      return 'expansion' in answer ? answer.expansion : { occurrences: [], hasMore: false }
    },
  }
}
