import { setImmediate as nextTurn } from 'node:timers/promises'
import { readJson, readText } from '../../http/body.ts'
import type { RawBody } from '../../http/route.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { faulty } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { lockMeetingOf, meetingOf } from '../meetings/meeting-access.ts'
import type { MeetingChanged } from '../meetings/meeting-news.ts'
import { type Appended, appendEntries } from './append.service.ts'
import { entriesMax, type NewEntry } from './entry.rules.ts'
import { readJsonEntries } from './formats/json.rules.ts'
import { readSrt } from './formats/srt.rules.ts'
import { readVtt } from './formats/vtt.rules.ts'
import type { importFormats } from './transcript.schema.ts'

export type TranscriptDeps = { clock: Clock; events: EventBus; audit: Audit; meetingChanged: MeetingChanged }

type User = { id: string }
export type ImportFormat = (typeof importFormats)[number]

export type Transcripts = ReturnType<typeof transcriptService>

export function transcriptService({ clock, events, audit, meetingChanged }: TranscriptDeps) {
  /** What is said while the meeting runs. Refuses with NOT_FOUND and STATE_CONFLICT. */
  function append(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    entries: NewEntry[],
  ): Promise<Appended> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const appended = await appendEntries(tx, await lockMeetingOf(tx, user, id), { entries, event: 'speak', now })
      if (appended.written.length === 0) return appended
      meetingChanged(tx, appended.meeting)
      await events.emit(tx, 'transcript.updated', { tenantId: tx.tenantId, meetingId: id })
      return appended
    })
  }

  /** All of a file or nothing; also after the meeting has ended. Refuses with NOT_FOUND and STATE_CONFLICT. */
  function bring(scope: TenantScope, { user, id }: { user: User; id: string }, entries: NewEntry[]): Promise<Appended> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const meeting = await lockMeetingOf(tx, user, id)
      const appended = await appendEntries(tx, meeting, { entries, event: 'import', now })
      meetingChanged(tx, appended.meeting)
      if (appended.written.length > 0)
        await events.emit(tx, 'transcript.updated', { tenantId: tx.tenantId, meetingId: id })
      const { added, replaced } = appended
      await audit(tx, { action: 'meeting.import', target: { type: 'meeting', id }, changes: { added, replaced } })
      return appended
    })
  }

  /** The entries of a file for a meeting of the user's. Refuses with NOT_FOUND, VALIDATION_ERROR and MALFORMED_JSON. */
  async function read(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    file: RawBody & { format: ImportFormat },
  ): Promise<NewEntry[]> {
    await meetingOf(scope, user, id)
    return collect(entriesIn(file))
  }

  return { append, bring, read }
}

function entriesIn({ bytes, format }: { bytes: Buffer; format: ImportFormat }): Iterable<NewEntry> {
  switch (format) {
    case 'vtt':
      return readVtt(readText(bytes))
    case 'srt':
      return readSrt(readText(bytes))
    case 'json':
      return readJsonEntries(readJson(bytes))
  }
}

// So many are read within a few milliseconds; then others have their turn.
const turnEntries = 500

async function collect(found: Iterable<NewEntry>): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  for (const entry of found) {
    entries.push(entry)
    if (entries.length > entriesMax) break // refused by whoever writes them
    if (entries.length % turnEntries === 0) await nextTurn()
  }
  if (entries.length === 0) throw faulty('/body', { code: 'minItems', message: 'holds no entries' })
  return entries
}
