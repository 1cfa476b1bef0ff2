import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { after, type Meeting, statusesFor } from '../meetings/meeting.rules.ts'
import { saveMeeting } from '../meetings/meeting.store.ts'
import { charsMax, entriesMax, type NewEntry, type Plan, planAppend } from './entry.rules.ts'
import { findSegments, writeEntries } from './transcript.store.ts'

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
  written: Plan['rows']
}

const portionRows = 5000

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
  const next = after(meeting, event, now)
  if (next === null) {
    const detail = `The meeting is ${meeting.status}; entries can be added while it is ${statusesFor(event).join(' or ')}.`
    throw new Refusal('STATE_CONFLICT', { detail })
  }
  const segmentIds = entries.flatMap(({ segmentId }) => (segmentId === null ? [] : [segmentId]))
  const known = await findSegments(tx, meeting.id, segmentIds)
  const { rows, lastSeq, chars, words, added, replaced, unchanged } = planAppend(entries, known, meeting.lastSeq)
  if (rows.length === 0) return { meeting, added, replaced, unchanged, written: [] }
  const grown: Meeting = {
    ...next,
    lastSeq,
    contentRevision: meeting.contentRevision + 1,
    entryCount: meeting.entryCount + added,
    charCount: meeting.charCount + chars,
    wordCount: meeting.wordCount + words,
  }
  refuseOversize(grown)
  for (let from = 0; from < rows.length; from += portionRows)
    await writeEntries(tx, meeting.id, rows.slice(from, from + portionRows))
  return { meeting: await saveMeeting(tx, grown), added, replaced, unchanged, written: rows }
}

function refuseOversize({ entryCount, charCount }: Meeting): void {
  if (entryCount > entriesMax)
    throw new Refusal('STATE_CONFLICT', { detail: `A transcript has at most ${entriesMax} entries.` })
  if (charCount > charsMax)
    throw new Refusal('STATE_CONFLICT', { detail: `A transcript has at most ${charsMax} characters.` })
}
