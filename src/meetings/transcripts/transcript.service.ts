import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { pipelined, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering, Use } from '../../usage/index.ts'
import type { NewEntry } from '../entries/entry.rules.ts'
import { type Appended, addEntries, appendEntries } from '../meetings/append-entries.ts'
import { hasBegun, type Meeting } from '../meetings/meeting.rules.ts'
import type { Metered } from '../meetings/meeting.service.ts'
import { meetingUpdate } from '../meetings/meeting.store.ts'
import { getMeeting, lockMeetingFor, requireAccess } from '../meetings/meeting-access.ts'
import type { NotifyMeetingChange } from '../meetings/meeting-changes.ts'
import type { TranscriptFile } from './formats/parse-file.ts'
import { readFile } from './formats/read-file.ts'

export type TranscriptDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  notifyChange: NotifyMeetingChange
  metering: Pick<Metering, 'count' | 'countAnyway'>
}

type User = { id: string }

export type Transcripts = ReturnType<typeof transcriptService>

export function transcriptService({ clock, events, audit, notifyChange, metering }: TranscriptDeps) {
  /**
   * Adds entries of a running meeting. Refuses with NOT_FOUND, INSUFFICIENT_ROLE, STATE_CONFLICT and, for the first words
   * of a meeting, USAGE_EXCEEDED: what is said later is never lost.
   */
  function append(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    entries: NewEntry[],
  ): Promise<Metered<Appended>> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const meeting = await lockMeetingFor(tx, { user, id }, 'write')
      const added = await addEntries(tx, meeting, { entries, event: 'speak', now })
      if (added.written.length === 0) return { ...added, usage: [] }
      const { save, saved } = meetingUpdate(tx, added.meeting)
      const appended = { ...added, meeting: saved }
      notifyChange(tx, saved)
      const use = wordUse(user, { before: meeting, after: saved, at: now })
      const [, usage] = await pipelined([
        emitUpdated(tx, appended),
        hasBegun(meeting) ? metering.countAnyway(tx, use, save) : metering.count(tx, use, save),
      ])
      return { ...appended, usage }
    })
  }

  async function emitUpdated(tx: TenantScope, { meeting, minutes }: Appended): Promise<void> {
    const { id: meetingId, orgId, status, userId } = meeting
    await events.emit(tx, 'transcript.updated', { tenantId: tx.tenantId, meetingId, orgId, status, userId, minutes })
  }

  /**
   * Adds all entries of a file or none, also after the meeting has ended. Refuses with NOT_FOUND, INSUFFICIENT_ROLE,
   * STATE_CONFLICT and USAGE_EXCEEDED.
   */
  function importEntries(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    entries: NewEntry[],
  ): Promise<Metered<Appended>> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const meeting = await lockMeetingFor(tx, { user, id }, 'write')
      const appended = await appendEntries(tx, meeting, { entries, event: 'import', now })
      notifyChange(tx, appended.meeting)
      if (appended.written.length > 0) await emitUpdated(tx, appended)
      const { added, replaced } = appended
      const [, usage] = await pipelined([
        audit(tx, { action: 'meeting.import', target: { type: 'meeting', id }, changes: { added, replaced } }),
        metering.count(tx, wordUse(user, { before: meeting, after: appended.meeting, at: now })),
      ])
      return { ...appended, usage }
    })
  }

  /**
   * The entries in a file for a meeting that the user may change. Refuses with NOT_FOUND, INSUFFICIENT_ROLE,
   * VALIDATION_ERROR, MALFORMED_JSON and UNAVAILABLE.
   */
  async function parseFile(
    scope: TenantScope,
    { user, id }: { user: User; id: string },
    file: TranscriptFile,
  ): Promise<NewEntry[]> {
    requireAccess(await getMeeting(scope, user, id), 'write')
    return readFile(file)
  }

  return { append, importEntries, parseFile }
}

/** The words by which a transcript has grown. Fewer words than before give nothing back. */
function wordUse(user: User, { before, after, at }: { before: Meeting; after: Meeting; at: Date }): Use {
  const transcriptWords = Math.max(0, after.wordCount - before.wordCount)
  return { orgId: after.orgId, userId: user.id, at, amounts: { transcriptWords } }
}
