import type { Effect } from '../../inbound/index.ts'
import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { listMeetings } from '../meetings/meeting.store.ts'
import type { AnswerQuestion } from './answer.service.ts'
import { type DraftedQuote, pendingReason } from './drafted-answer.rules.ts'
import {
  assignReader,
  type Draft,
  deleteDraftsBefore,
  findDraft,
  getDraftByEffectKey,
  insertDraft,
  insertQuotes,
  lockMeetingKeys,
  markAnswered,
  type NewDraft,
} from './drafted-answer.store.ts'
import type { OrganizationAnswers } from './organization-answer.service.ts'
import { searchTerms } from './search-terms.rules.ts'

export type DraftedAnswerDeps = {
  clock: Clock
  jobs: Jobs
  answerQuestion: AnswerQuestion
  organizationAnswers: Pick<OrganizationAnswers, 'answer'>
  metering: Pick<Metering, 'countAnyway' | 'requireLeft'>
  events: EventBus
}

export type Mention = Omit<NewDraft, 'id' | 'createdAt'>

/** Jobs of one draft run one after another, so the second one finds it answered. */
export const draftingJob: JobKind<{ answerId: string }> = {
  name: 'assistant.answers.draft',
  attemptsMax: 5,
  backoffSeconds: 10,
  timeoutSeconds: 120,
  order: 'key',
}

// The limits of a search: about fifteen meetings of an hour.
const meetingsMax = 20
const charsMax = 1_000_000
// The number of meetings that are quoted. The answer engine limits the quotes of each.
const quotedMeetingsMax = 3

/**
 * Answers questions from a chat: from what all members of the connection's organization may read, else from the latest
 * meetings of the user named in its settings. The question is stored in the transaction of its delivery. A job searches later
 * and outside any transaction, because it may read whole transcripts; only the quotes it found are written in one.
 */
export function draftedAnswers({
  clock,
  jobs,
  answerQuestion,
  organizationAnswers,
  metering,
  events,
}: DraftedAnswerDeps) {
  /** Repeating a call with the same effect key changes nothing, except that a missing user or organization is added. */
  async function ask(tx: TenantScope, mention: Mention): Promise<Effect> {
    const now = clock.now()
    const userId = mention.userId !== null && isId(mention.userId) ? mention.userId : null
    const inserted = await insertDraft(tx, { ...mention, userId, id: newId(now), createdAt: now })
    const assigned = inserted ?? (await assignReader(tx, mention.effectKey, { userId, orgId: mention.orgId }))
    const draft = assigned ?? (await getDraftByEffectKey(tx, mention.effectKey))
    const { tenantId } = tx
    if (inserted?.waitingFor === 'user' && mention.isDirect)
      await events.emit(tx, 'answer.asker.unknown', { tenantId, answerId: draft.id })
    // Also for a draft whose job has given up: sending the delivery again starts a new one.
    if (draft.waitingFor === 'answer')
      await jobs.enqueue(tx, draftingJob, { data: { answerId: draft.id }, tenantId: tx.tenantId, key: draft.id })
    return draftEffect(draft, { isNew: inserted !== null, isAssigned: assigned !== null })
  }

  /**
   * Answers once. A missing or answered draft is left as it is. Refuses with UNAVAILABLE where too many searches wait.
   */
  async function answer(scope: Scope, answerId: string): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A drafted answer belongs to a tenant.')
    const beganAt = clock.now()
    const pending = await findDraft(scope, answerId)
    if (pending?.waitingFor !== 'answer') return
    const { userId, orgId, question } = pending
    const asker = orgId === null ? { userId } : { orgId }
    if (await isUsedUp(scope, { ...asker, at: beganAt })) return refuse(scope, answerId)
    if (orgId !== null) return organizationAnswers.answer(scope, { id: answerId, orgId, question })
    if (userId === null) return
    const quotes = await search(scope, { userId, question })
    await transaction(scope, async (tx) => {
      // Meetings are locked before drafts, in the order of an erasure. A meeting that was erased or handed over
      // since it was read is not quoted.
      const existing = await lockMeetingKeys(tx, {
        userId,
        ids: [...new Set(quotes.map(({ meetingId }) => meetingId))],
      })
      if (!(await markAnswered(tx, answerId, { now: clock.now() }))) return
      await insertQuotes(
        tx,
        answerId,
        quotes.filter(({ meetingId }) => existing.has(meetingId)),
      )
      await events.emit(tx, 'answer.drafted', { tenantId: tx.tenantId, answerId })
      await metering.countAnyway(tx, { userId, engine: 'local', at: beganAt, amounts: { asks: 1 } })
    })
  }

  /** Only where an administrator wants a refusal at the limit. */
  async function isUsedUp(
    scope: TenantScope,
    asked: { orgId?: string | null; userId?: string | null; at: Date },
  ): Promise<boolean> {
    try {
      await metering.requireLeft(scope, { meter: 'asks', ...asked })
      return false
    } catch (error) {
      if (error instanceof Refusal && error.code === 'USAGE_EXCEEDED') return true
      throw error
    }
  }

  const refuse = (scope: TenantScope, answerId: string): Promise<void> =>
    transaction(scope, async (tx) => {
      if (await markAnswered(tx, answerId, { now: clock.now(), isRefused: true }))
        await events.emit(tx, 'answer.drafted', { tenantId: tx.tenantId, answerId })
    })

  async function search(
    scope: TenantScope,
    { userId, question }: { userId: string; question: string },
  ): Promise<DraftedQuote[]> {
    const { items } = await listMeetings(scope, { userId }, { page: 1, limit: meetingsMax })
    const terms = new Set(searchTerms(question))
    const found: { quotes: DraftedQuote[]; hits: number }[] = []
    for (const meeting of selectMeetings(items)) {
      const { parts } = await answerQuestion(scope, { meeting, text: question, userId })
      const quotes = parts.flatMap(({ citations }) =>
        citations.map((citation) => ({ ...citation, meetingId: meeting.id })),
      )
      if (quotes.length === 0) continue
      const quotedTerms = new Set(quotes.flatMap(({ speaker, quote }) => [...searchTerms(`${speaker} ${quote}`)]))
      found.push({ quotes, hits: quotedTerms.intersection(terms).size })
    }
    // Meetings with more words of the question come first; among equals the latest.
    return found
      .toSorted((a, b) => b.hits - a.hits)
      .slice(0, quotedMeetingsMax)
      .flatMap(({ quotes }) => quotes)
  }

  return { ask, answer }
}

export type DraftedAnswers = ReturnType<typeof draftedAnswers>

const retentionMs = 90 * 24 * 60 * 60 * 1000
const batchRows = 100

/**
 * Deletes drafted answers after 90 days. Can be interrupted anywhere, and can run on several nodes at the same time.
 */
export async function deleteOldDrafts(platform: PlatformScope, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs)
  let removed: number
  do {
    removed = await transaction(platform, (tx) => deleteDraftsBefore(tx, before, batchRows))
  } while (removed === batchRows)
}

/** The latest meetings with a transcript, up to the limit of characters. The first is read whatever its length. */
function selectMeetings(meetings: Meeting[]): Meeting[] {
  let chars = 0
  return meetings.filter(({ entryCount, charCount }) => {
    if (entryCount === 0 || (chars > 0 && chars + charCount > charsMax)) return false
    chars += charCount
    return true
  })
}

function draftEffect(draft: Draft, { isNew, isAssigned }: { isNew: boolean; isAssigned: boolean }): Effect {
  const action = isNew ? 'drafted' : isAssigned ? 'updated' : 'unchanged'
  const effect = { kind: 'answer', action, targetId: draft.id } as const
  if (draft.waitingFor === null) return { ...effect, status: 'DONE' }
  return { ...effect, status: 'PENDING', reason: pendingReason(draft.waitingFor) }
}
