import { workerPool } from '../kernel/worker-pool.ts'
import type { Span } from './expand-series.ts'
import { type CalendarCause, CalendarUnreadable, type Expansion, type Invitation, type Series } from './series.ts'

export type CalendarTask = { kind: 'read'; text: string } | { kind: 'expand'; series: Series; span: Span }
export type CalendarAnswer = { invitations: Invitation[] } | { expansion: Expansion } | { unreadable: CalendarCause }

/** Always in a thread: a rule such as "daily on the 30th of February" keeps the library busy for ever. */
const pool = workerPool<CalendarTask, CalendarAnswer>({
  entry: new URL('./calendar.thread.ts', import.meta.url),
  timeoutMs: 5_000,
  queueMax: 200,
  memoryMaxMb: 256,
  idleMsMax: 5_000,
  overLimit: () => new CalendarUnreadable('TOO_LARGE'),
})

async function run(task: CalendarTask): Promise<Exclude<CalendarAnswer, { unreadable: CalendarCause }>> {
  const answer = await pool.run(task)
  if ('unreadable' in answer) throw new CalendarUnreadable(answer.unreadable)
  return answer
}

/** The invitations and cancellations in a file. Rejects with CalendarUnreadable, and with UNAVAILABLE where too many wait. */
export async function readInvitations(text: string): Promise<Invitation[]> {
  const answer = await run({ kind: 'read', text })
  return 'invitations' in answer ? answer.invitations : []
}

/** Rejects as `readInvitations`. */
export async function occurrencesIn(series: Series, span: Span): Promise<Expansion> {
  const answer = await run({ kind: 'expand', series, span })
  return 'expansion' in answer ? answer.expansion : { occurrences: [], hasMore: false }
}
