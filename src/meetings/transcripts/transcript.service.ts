import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { NewEntry } from '../entries/entry.rules.ts'
import { type Appended, appendEntries } from '../meetings/append-entries.ts'
import { getMeeting, lockOwnMeeting } from '../meetings/meeting-access.ts'
import type { NotifyMeetingChange } from '../meetings/meeting-changes.ts'
import type { TranscriptFile } from './formats/parse-file.ts'
import { readFile } from './formats/read-file.ts'

export type TranscriptDeps = { clock: Clock; events: EventBus; audit: Audit; notifyChange: NotifyMeetingChange }

type User = { id: string }

export type Transcripts = ReturnType<typeof transcriptService>

export function transcriptService({ clock, events, audit, notifyChange }: TranscriptDeps) {
  /** Adds entries of a running meeting. Refuses with NOT_FOUND and STATE_CONFLICT. */
  function append(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    entries: NewEntry[],
  ): Promise<Appended> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const appended = await appendEntries(tx, await lockOwnMeeting(tx, user, id), { entries, event: 'speak', now })
      if (appended.written.length === 0) return appended
      notifyChange(tx, appended.meeting)
      await events.emit(tx, 'transcript.updated', { tenantId: tx.tenantId, meetingId: id })
      return appended
    })
  }

  /**
   * Adds all entries of a file or none, also after the meeting has ended. Refuses with NOT_FOUND and STATE_CONFLICT.
   */
  function importEntries(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    entries: NewEntry[],
  ): Promise<Appended> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const meeting = await lockOwnMeeting(tx, user, id)
      const appended = await appendEntries(tx, meeting, { entries, event: 'import', now })
      notifyChange(tx, appended.meeting)
      if (appended.written.length > 0)
        await events.emit(tx, 'transcript.updated', { tenantId: tx.tenantId, meetingId: id })
      const { added, replaced } = appended
      await audit(tx, { action: 'meeting.import', target: { type: 'meeting', id }, changes: { added, replaced } })
      return appended
    })
  }

  /**
   * The entries in a file for one of the user's meetings. Refuses with NOT_FOUND, VALIDATION_ERROR, MALFORMED_JSON and
   * UNAVAILABLE.
   */
  async function parseFile(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    file: TranscriptFile,
  ): Promise<NewEntry[]> {
    await getMeeting(scope, user, id)
    return readFile(file)
  }

  return { append, importEntries, parseFile }
}
