import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SearchableTranscripts } from '../../meetings/index.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { listFound } from './indexed-item.store.ts'
import { jobId, transcriptJob } from './transcript-index.service.ts'

export type MissingTranscriptsDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  transcripts: Pick<SearchableTranscripts, 'listEnded'>
}

const batchMeetings = 1000
/** Of one run. The next one continues from there. */
const readMax = 20_000
const enqueuedMax = 200

/**
 * Has transcripts indexed that search does not find as they are, or not under their titles: of meetings that are older than
 * search, and those whose job used up its tries. Each is tried once a day.
 */
export function missingTranscripts({ platform, clock, jobs, transcripts }: MissingTranscriptsDeps) {
  let after: { tenantId: string; id: string } | null = null

  return async (): Promise<void> => {
    const day = clock.now().toISOString().slice(0, 10)
    let enqueued = 0
    for (let read = 0; read < readMax; read += batchMeetings) {
      const meetings = await transcripts.listEnded(platform, { after, limit: batchMeetings })
      const wanted = meetings.map(({ tenantId, id, contentRevision, title }) => ({
        tenantId,
        itemId: id,
        version: contentRevision,
        title,
      }))
      const found = new Set((await listFound(platform, wanted)).map(({ itemId }) => itemId))
      for (const { tenantId, id, contentRevision } of meetings) {
        after = { tenantId, id }
        if (found.has(id)) continue
        const job = { data: { meetingId: id }, tenantId, key: id, id: jobId(`${id} ${contentRevision} ${day}`) }
        await jobs.enqueue(platform, transcriptJob, job)
        enqueued += 1
        if (enqueued === enqueuedMax) return
      }
      if (meetings.length === batchMeetings) continue
      after = null
      return
    }
  }
}
