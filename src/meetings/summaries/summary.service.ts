import { ModelFailure } from '../../ai/model-failure.ts'
import type { TenantModel } from '../../ai/tenant-model.ts'
import type { Clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { draftSchema, readDraft } from '../../summarizer/model/draft.ts'
import { engineVersion } from '../../summarizer/summarize.ts'
import type { SummaryMaterial } from '../../summarizer/writing/task.ts'
import type { Writer } from '../../summarizer/writing/writer.ts'
import type { WrittenSummary } from '../../summarizer/written-summary.ts'
import type { FindGaps } from '../entries/gap.schema.ts'
import type { Meeting, SummaryMode } from '../meetings/meeting.rules.ts'
import { getMeeting } from '../meetings/meeting-access.ts'
import type { FallbackReason, StoredSummary, SummaryAnswer, SummaryBody } from './summary.schema.ts'
import { findSummary, lockMeetingKey, type SummaryKey, saveSummary } from './summary.store.ts'
import { summaryBody, summaryView } from './summary.view.ts'
import { type ReadTranscript, readTranscript } from './transcript-material.ts'

export type SummaryDeps = {
  clock: Clock
  events: EventBus
  writer: Writer
  model: TenantModel | null
  findGaps: FindGaps
  /** Called for each summary that was made, for the metrics. */
  recordSummary(written: SummaryWritten): void
}
export type SummaryWritten = Pick<StoredSummary, 'engine' | 'fallbackReason'> & { mode: SummaryMode; seconds: number }

/** Must change with the prompt and the checks: stored summaries by a model carry it. */
const modelEngineVersion = `${engineVersion}-2`

/** A model adds nothing to a transcript that is shorter than its summary. */
const modelWordsMin = 40
/** After a failure the model is not asked again for the same summary before this time. */
const fallbackKeptMs = 300_000
const outputTokensMax = { short: 1500, detailed: 4000 }

/** What an engine wrote about a meeting. */
type WrittenByEngine = {
  written: WrittenSummary
  seqs: number[]
  basis: SummaryBody['basis']
  fallbackReason: FallbackReason | null
}

type Request = {
  meeting: Meeting
  key: SummaryKey
  /** Who asks. Of several who ask at once the first one's tokens are used. */
  userId: string
}

export type Summaries = ReturnType<typeof summaryService>

export function summaryService({ clock, events, writer, model, findGaps, recordSummary }: SummaryDeps) {
  const running = new Map<string, Promise<StoredSummary>>()

  /** The summary of the transcript so far, stored or made now. Refuses with NOT_FOUND and UNAVAILABLE. */
  async function get(
    scope: TenantScope,
    user: { id: string },
    request: { id: string; mode?: SummaryMode | undefined },
  ): Promise<SummaryAnswer> {
    const meeting = await getMeeting(scope, user, request.id)
    const mode = request.mode ?? meeting.settings.summaryMode
    const key: SummaryKey = { meetingId: meeting.id, mode, personality: meeting.settings.personality }
    const stored = await findSummary(scope, key)
    const isUsable = stored !== null && isFresh(stored, meeting)
    if (isUsable) return summaryView(meeting, { mode, stored, gaps: await findGaps(scope, meeting.id) })
    const made = await makeOnce(scope, { meeting, key, userId: user.id })
    // That may have taken a minute, in which the meeting was taken away from the user.
    await getMeeting(scope, user, meeting.id)
    return summaryView(meeting, { mode, stored: made, gaps: await findGaps(scope, meeting.id) })
  }

  function isFresh(stored: StoredSummary, { contentRevision, title }: Meeting): boolean {
    const version = stored.engine === 'llm' ? modelEngineVersion : engineVersion
    const isSame =
      stored.contentRevision === contentRevision &&
      stored.title === title &&
      stored.engineVersion === version &&
      stored.model === (model?.model ?? null)
    if (!isSame || stored.fallbackReason === null || stored.fallbackReason === 'TOO_LITTLE') return isSame
    return clock.now().getTime() - stored.generatedAt.getTime() < fallbackKeptMs
  }

  /** Concurrent requests of this process for the same summary share one run. */
  function makeOnce(scope: TenantScope, request: Request): Promise<StoredSummary> {
    const { meeting, key } = request
    const runKey = JSON.stringify([scope.tenantId, key, meeting.contentRevision, meeting.title])
    const run = running.get(runKey) ?? make(scope, request).finally(() => running.delete(runKey))
    running.set(runKey, run)
    return run
  }

  async function make(scope: TenantScope, { meeting, key, userId }: Request): Promise<StoredSummary> {
    const startedMs = performance.now()
    const { written, seqs, basis, fallbackReason } = await write(
      scope,
      { meeting, userId },
      await readTranscript(scope, meeting, key),
    )
    const stored: StoredSummary = {
      contentRevision: meeting.contentRevision,
      title: meeting.title,
      engine: written.engine,
      engineVersion: written.engine === 'llm' ? modelEngineVersion : engineVersion,
      model: model?.model ?? null,
      fallbackReason,
      body: summaryBody(written, seqs, basis),
      generatedAt: clock.now(),
    }
    await transaction(scope, async (tx) => {
      if (!(await lockMeetingKey(tx, meeting.id))) throw notFound()
      await saveSummary(tx, key, stored)
      const { id: meetingId, orgId, status, userId } = meeting
      const ready = { tenantId: tx.tenantId, meetingId, mode: key.mode, orgId, status, userId }
      await events.emit(tx, 'summary.ready', ready)
    })
    const { engine } = stored
    recordSummary({ mode: key.mode, engine, fallbackReason, seconds: (performance.now() - startedMs) / 1000 })
    return stored
  }

  /** Uses the model where there is one and its answer is good, else the local engine. */
  async function write(
    scope: TenantScope,
    { meeting, userId }: Pick<Request, 'meeting' | 'userId'>,
    { material, seqs }: ReadTranscript,
  ): Promise<WrittenByEngine> {
    const locally = async (fallbackReason: FallbackReason | null): Promise<WrittenByEngine> => {
      const written = await writer.local(material)
      return { written, seqs, basis: seqs.length === 0 ? 'empty' : summaryBasis(written), fallbackReason }
    }
    if (model === null) return locally(null)
    if (meeting.wordCount < modelWordsMin) return locally('TOO_LITTLE')
    try {
      return {
        ...(await writeByModel(scope, material, { tenantModel: model, subject: { orgId: meeting.orgId, userId } })),
        seqs,
      }
    } catch (error) {
      if (error instanceof ModelFailure) return locally(error.reason)
      throw error
    }
  }

  async function writeByModel(
    scope: TenantScope,
    material: SummaryMaterial,
    { tenantModel, subject }: { tenantModel: TenantModel; subject: { orgId: string | null; userId: string } },
  ): Promise<Omit<WrittenByEngine, 'seqs'>> {
    const { isExcerpt, ...prompt } = await writer.prompt(material, tenantModel.inputTokensMax)
    const question = { ...prompt, schema: draftSchema, outputTokensMax: outputTokensMax[material.mode] }
    const draft = readDraft((await tenantModel.ask(scope, question, subject)).text)
    if (draft === null) throw new ModelFailure('INVALID_OUTPUT')
    const written = await writer.fromModel(material, draft)
    if (written.engine === 'local') return { written, basis: summaryBasis(written), fallbackReason: 'INVALID_OUTPUT' }
    return { written, basis: summaryBasis({ isExcerpt }), fallbackReason: null }
  }

  return { get }
}

const summaryBasis = ({ isExcerpt }: { isExcerpt: boolean }) => (isExcerpt ? 'excerpt' : 'transcript')
