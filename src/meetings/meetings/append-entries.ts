import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type AppendPlan, charsMax, entriesMax, type NewEntry, planAppend } from '../entries/entry.rules.ts'
import { findSegments, writeEntries } from '../entries/entry.store.ts'
import { allowedStatuses, applyEvent, type Meeting } from './meeting.rules.ts'
import { saveMeeting } from './meeting.store.ts'

export type Append = {
  entries: NewEntry[]
  /** `import`: entries of a file, which may come after the end of the meeting. */
  event: 'speak' | 'import'
  now: Date
}

export type Appended = {
  /** The meeting after the change. */
  meeting: Meeting
  added: number
  replaced: number
  unchanged: number
  /** By how many begun minutes the transcript became longer. */
  minutes: number
  /** The entries that were written, with their numbers. */
  written: AppendPlan['rows']
}

/** The rows of one statement. The embedded database blocks the event loop for about 40 ms while it runs one. */
const batchEntries = 250

/**
 * The only way to add entries to a transcript. `meeting` must be locked in this transaction, so that the order of
 * entries is the order of calls. Earlier entries change only if their segment id is sent again. Refuses with
 * STATE_CONFLICT what the meeting's status or size does not allow.
 */
export async function appendEntries(tx: TenantScope, meeting: Meeting, append: Append): Promise<Appended> {
  const added = await addEntries(tx, meeting, append)
  return added.written.length === 0 ? added : { ...added, meeting: await saveMeeting(tx, added.meeting) }
}

/** The same for a caller that saves the meeting itself, last of all. */
export async function addEntries(
  tx: TenantScope,
  meeting: Meeting,
  { entries, event, now }: Append,
): Promise<Appended> {
  const next = applyEvent(meeting, event, now)
  if (next === null) {
    const detail = `The meeting is ${meeting.status}. Entries can be added only while it is ${allowedStatuses(event).join(' or ')}.`
    throw new Refusal('STATE_CONFLICT', { detail })
  }
  // Entries without a segment id are always new. If they alone exceed the limit, nothing is written.
  const unnamed = entries.length - segmentIds(entries).length
  refuseOversize({ entries: meeting.entryCount + unnamed, chars: 0 })
  const total: AppendPlan = {
    rows: [],
    added: 0,
    replaced: 0,
    unchanged: 0,
    lastSeq: meeting.lastSeq,
    chars: 0,
    words: 0,
  }
  for (let from = 0; from < entries.length; from += batchEntries) {
    // An import has many batches. The embedded database answers without yielding to the event loop, so other work runs
    // here.
    if (from > 0) await yieldToEventLoop()
    const batch = entries.slice(from, from + batchEntries)
    const plan = planAppend(batch, await findSegments(tx, meeting.id, segmentIds(batch)), total.lastSeq)
    addToTotal(total, plan)
    refuseOversize({ entries: meeting.entryCount + total.added, chars: meeting.charCount + total.chars })
    if (plan.rows.length > 0) await writeEntries(tx, meeting.id, plan.rows)
  }
  const { rows: written, added, replaced, unchanged, lastSeq, chars, words } = total
  if (written.length === 0) return { meeting, added, replaced, unchanged, minutes: 0, written }
  const minuteCount = Math.max(meeting.minuteCount, begunMinutes(written))
  const grown: Meeting = {
    ...next,
    lastSeq,
    contentRevision: meeting.contentRevision + 1,
    entryCount: meeting.entryCount + added,
    charCount: meeting.charCount + chars,
    wordCount: meeting.wordCount + words,
    minuteCount,
  }
  const minutes = minuteCount - meeting.minuteCount
  return { meeting: grown, added, replaced, unchanged, minutes, written }
}

function segmentIds(entries: NewEntry[]): string[] {
  return entries.flatMap(({ segmentId }) => (segmentId === null ? [] : [segmentId]))
}

/** An entry at 0:00 has begun the first minute. */
function begunMinutes(entries: NewEntry[]): number {
  const latest = entries.reduce((max, { offsetSeconds }) => Math.max(max, offsetSeconds), 0)
  return Math.floor(latest / 60) + 1
}

function addToTotal(total: AppendPlan, { rows, added, replaced, unchanged, lastSeq, chars, words }: AppendPlan): void {
  for (const row of rows) total.rows.push(row)
  total.added += added
  total.replaced += replaced
  total.unchanged += unchanged
  total.lastSeq = lastSeq
  total.chars += chars
  total.words += words
}

function refuseOversize({ entries, chars }: { entries: number; chars: number }): void {
  if (entries > entriesMax)
    throw new Refusal('STATE_CONFLICT', { detail: `A transcript has at most ${entriesMax} entries.` })
  if (chars > charsMax)
    throw new Refusal('STATE_CONFLICT', { detail: `A transcript has at most ${charsMax} characters.` })
}
