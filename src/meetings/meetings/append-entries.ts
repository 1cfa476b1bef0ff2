import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type AppendPlan, charsMax, entriesMax, type NewEntry, planAppend } from '../entries/entry.rules.ts'
import { findSegments, writeEntries } from '../entries/entry.store.ts'
import { allowedStatuses, applyEvent, type Meeting } from './meeting.rules.ts'
import { saveMeeting } from './meeting.store.ts'

export type Append = {
  entries: NewEntry[]
  /** `import`: a record of the meeting, perhaps brought after its end. */
  event: 'speak' | 'import'
  now: Date
}

export type Appended = {
  /** As it is now. */
  meeting: Meeting
  added: number
  replaced: number
  unchanged: number
  /** The entries that were written, with their numbers: what those who listen have not heard. */
  written: AppendPlan['rows']
}

/** One statement each. The embedded database holds the event loop for as long as one takes: 40 ms or so. */
const batchEntries = 250

/**
 * The one way into a transcript, whoever brings the entries. `meeting` was locked in this transaction: the order of
 * entries is the order of these calls. Earlier entries are not touched, but those whose segment id comes again.
 * Refuses with STATE_CONFLICT what the meeting's status or size does not allow.
 */
export async function appendEntries(
  tx: TenantScope,
  meeting: Meeting,
  { entries, event, now }: Append,
): Promise<Appended> {
  const next = applyEvent(meeting, event, now)
  if (next === null) {
    const detail = `The meeting is ${meeting.status}; entries can be added while it is ${allowedStatuses(event).join(' or ')}.`
    throw new Refusal('STATE_CONFLICT', { detail })
  }
  // Those are new, whatever the others replace: what cannot fit is not written first.
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
    // An import has many portions. The embedded database answers without a turn of the event loop: here others have theirs.
    if (from > 0) await yieldToEventLoop()
    const portion = entries.slice(from, from + batchEntries)
    const plan = planAppend(portion, await findSegments(tx, meeting.id, segmentIds(portion)), total.lastSeq)
    addToTotal(total, plan)
    refuseOversize({ entries: meeting.entryCount + total.added, chars: meeting.charCount + total.chars })
    if (plan.rows.length > 0) await writeEntries(tx, meeting.id, plan.rows)
  }
  const { rows: written, added, replaced, unchanged, lastSeq, chars, words } = total
  if (written.length === 0) return { meeting, added, replaced, unchanged, written }
  const grown: Meeting = {
    ...next,
    lastSeq,
    contentRevision: meeting.contentRevision + 1,
    entryCount: meeting.entryCount + added,
    charCount: meeting.charCount + chars,
    wordCount: meeting.wordCount + words,
  }
  return { meeting: await saveMeeting(tx, grown), added, replaced, unchanged, written }
}

function segmentIds(entries: NewEntry[]): string[] {
  return entries.flatMap(({ segmentId }) => (segmentId === null ? [] : [segmentId]))
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
