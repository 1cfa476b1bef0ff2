import type { TenantScope } from '../../storage/scope.ts'
import type { Meetings } from '../meetings/meeting.service.ts'
import type { TranscriptFile } from './formats/parse-file.ts'
import { readFile } from './formats/read-file.ts'
import type { Transcripts } from './transcript.service.ts'

type Deps = {
  meetings: Pick<Meetings, 'create' | 'changeStatus'>
  transcripts: Pick<Transcripts, 'importEntries'>
}

/** Makes meetings of transcript files that come without one. */
export function transcriptMeetings({ meetings, transcripts }: Deps) {
  /**
   * Reads a file, outside of a transaction, and refuses VALIDATION_ERROR, MALFORMED_JSON and UNAVAILABLE. The result makes a meeting of
   * it that is over; it refuses as the creation of a meeting and the import do.
   */
  return async (file: TranscriptFile) => {
    const entries = await readFile(file)
    return async (
      tx: TenantScope,
      user: { id: string },
      { orgId, title }: { orgId: string | null; title: string },
    ): Promise<{ title: string; entryCount: number }> => {
      const { meeting } = await meetings.create(tx, user, { title, ...(orgId === null ? {} : { orgId }) })
      await transcripts.importEntries(tx, { user, id: meeting.id }, entries)
      await meetings.changeStatus(tx, { user, id: meeting.id }, 'end')
      return { title, entryCount: entries.length }
    }
  }
}
