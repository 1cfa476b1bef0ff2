import { createHash } from 'node:crypto'
import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import type { SearchableTranscripts } from '../../meetings/index.ts'
import type { TranscriptChunk } from '../../retrieval/chunks/chunk.ts'
import { type SpokenEntry, transcriptCutter } from '../../retrieval/chunks/cut-transcript.ts'
import { loadCommonWords } from '../../retrieval/language/common-words.ts'
import { detectLanguage } from '../../retrieval/language/detect-language.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { missingWords } from '../../retrieval/words/missing-words.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope, transaction } from '../../storage/scope.ts'
import { deleteIndexOfOrganization } from './indexed-item.store.ts'
import type { ItemIndex } from './item-index.service.ts'
import type { ChunkToIndex } from './item-to-index.ts'
import { summarySentences } from './summary-sentences.rules.ts'
import { transcriptExtension } from './transcript-extension.service.ts'

export type TranscriptIndexDeps = { items: ItemIndex; transcripts: SearchableTranscripts }

/** Jobs of one meeting run one after another, so that the last one sees the last change. */
export const transcriptJob: JobKind<{ meetingId: string }> = {
  name: 'knowledge.transcripts.index',
  attemptsMax: 8,
  backoffSeconds: 10,
  timeoutSeconds: 300,
  order: 'key',
  concurrency: { node: 1, tenant: 1 },
}

/** While a meeting is live, its transcript is indexed once in each such span, soon after it ends. */
const liveSpanMs = 30_000
const liveDelayMs = 5_000

type MeetingKey = { tenantId: string; meetingId: string }

/** Enqueues the job when something changes that search must know. */
export function indexAfterMeetings({
  events,
  jobs,
  clock,
  items,
}: {
  events: EventBus
  jobs: Jobs
  clock: Clock
  items: ItemIndex
}): void {
  const enqueue = (tx: Scope, { tenantId, meetingId }: MeetingKey) =>
    jobs.enqueue(tx, transcriptJob, { data: { meetingId }, tenantId, key: meetingId })
  // All of it is found within 10 s. Transcripts that were imported, or got a summary, can wait.
  const enqueueAhead = (tx: Scope, { tenantId, meetingId }: MeetingKey) =>
    jobs.enqueue(tx, transcriptJob, { data: { meetingId }, tenantId, key: meetingId, isUrgent: true })
  const enqueueLive = liveEnqueuer({ jobs, clock })

  events.on('transcript.updated', async (tx, { orgId, status, ...meeting }) => {
    if (orgId === null) return
    await (status === 'active' ? enqueueLive(tx, meeting) : enqueue(tx, meeting))
  })
  // Its words lead to the entries that it cites.
  events.on('summary.ready', async (tx, { orgId, status, ...meeting }) => {
    if (orgId === null) return
    await (status === 'active' ? enqueueLive(tx, meeting) : enqueue(tx, meeting))
  })
  events.on('meeting.completed', async (tx, meeting) => {
    if (meeting.orgId !== null) await enqueueAhead(tx, meeting)
  })
  events.on('meeting.assigned', enqueue)
  events.on('meeting.renamed', enqueue)
  const remove = (tx: Scope, { tenantId, meetingIds }: { tenantId: string; meetingIds: string[] }) =>
    items.remove(inTenant(tx, tenantId), meetingIds)
  events.on('meetings.moved', remove)
  events.on('meetings.deleted', remove)
  events.on('transcript.erased', remove)
  events.on('org.deleted', (tx, { tenantId, orgId }) => deleteIndexOfOrganization(inTenant(tx, tenantId), orgId))
}

/** One job a meeting and span, however much is said. A node that knows the job exists asks the database nothing. */
function liveEnqueuer({ jobs, clock }: { jobs: Jobs; clock: Clock }) {
  let current = { span: 0, meetings: new Set<string>() }

  return async (tx: Scope, { tenantId, meetingId }: MeetingKey): Promise<void> => {
    const span = Math.floor(clock.now().getTime() / liveSpanMs)
    if (span !== current.span) current = { span, meetings: new Set() }
    const { meetings } = current
    if (meetings.has(meetingId)) return
    const runAt = new Date((span + 1) * liveSpanMs + liveDelayMs)
    const id = jobId(`${meetingId} ${span}`)
    await jobs.enqueue(tx, transcriptJob, { data: { meetingId }, tenantId, key: meetingId, runAt, id, isUrgent: true })
    tx.handle.afterCommit(() => meetings.add(meetingId))
  }
}

/** A UUID (RFC 9562, version 8) that follows from a name. */
export function jobId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Indexes transcripts: what is new of one that is indexed, else the whole. The whole takes so long that many meetings which end
 * at once would not be found in time.
 */
export function transcriptIndex({ items, transcripts }: TranscriptIndexDeps) {
  const extend = transcriptExtension({ items, transcripts })

  return async (scope: Scope, meetingId: string): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A meeting belongs to a tenant.')
    const meeting = await transcripts.find(scope, meetingId)
    // What is no longer there was removed from the index with it.
    if (meeting === null) return
    const extended = await extend(scope, meeting)
    const pause = yieldPeriodically()
    await loadCommonWords()
    // A live one that was indexed after its first words may have been taken for one in another language.
    const isWhole =
      extended === null ||
      (!meeting.isLive &&
        extended !== languageOf(await cutEntries(transcripts.streamEntries(scope, meetingId), pause, sampleChunks)))
    if (!isWhole) return
    const { orgId, title, contentRevision: version } = meeting
    const cut = await cutEntries(transcripts.streamEntries(scope, meetingId), pause)
    const language = languageOf(cut)
    const pointers = await transcripts.listSummaryPointers(scope, [meetingId])
    const sentencesAbout = summarySentences(pointers)
    // With the next change of the transcript its summary is out of date, and with it words of any chunk.
    const lastChange = pointers.length === 0 ? meeting.lastChange : null
    const chunks: ChunkToIndex[] = []
    for (const { text, parts } of cut) {
      const seqs = parts.map(({ seq }) => seq)
      chunks.push({
        text,
        headings: missingWords(sentencesAbout(meetingId, seqs), text, language),
        entries: parts,
      })
      await pause()
    }
    const item = {
      orgId,
      sourceId: meetingId,
      itemId: meetingId,
      kind: 'meeting',
      version,
      title,
      language,
      lastChange,
      chunks,
    } as const
    const id = await items.stage(scope, item)
    if (id === null) return
    try {
      await transaction(scope, async (tx) => {
        const held = await transcripts.hold(tx, meetingId)
        // Else it was deleted or moved meanwhile.
        if (held?.orgId === orgId) await items.publish(tx, { id, sourceId: meetingId })
      })
    } finally {
      await items.unstage(scope, id)
    }
  }
}

/** Enough to tell the language of a transcript, at its beginning. */
const sampleChunks = 20

function languageOf(chunks: readonly TranscriptChunk[]): Language {
  const texts = chunks.slice(0, sampleChunks).map(({ text }) => text)
  return detectLanguage(texts.join('\n'))
}

/** Ends when there are more than `chunksMax`: the last one may not be whole. */
async function cutEntries(
  batches: AsyncIterable<readonly SpokenEntry[]>,
  pause: () => Promise<void>,
  chunksMax = Number.POSITIVE_INFINITY,
): Promise<TranscriptChunk[]> {
  const { chunks, add } = transcriptCutter()
  for await (const batch of batches)
    for (const entry of batch) {
      add(entry)
      if (chunks.length > chunksMax) return chunks
      await pause()
    }
  return chunks
}
