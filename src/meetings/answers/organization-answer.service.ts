import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import type { AnswerQuote } from './drafted-answer.rules.ts'
import { listQuotes as listMeetingQuotes, markAnswered } from './drafted-answer.store.ts'
import { insertCitations, listCitations } from './drafted-citation.store.ts'
import type { OpenAnswers } from './open-answers.ts'

export type OrganizationAnswerDeps = {
  clock: Clock
  metering: Pick<Metering, 'countAnyway'>
  openAnswers(): OpenAnswers
  events: EventBus
}

export type OrganizationAnswers = ReturnType<typeof organizationAnswers>

/** Answers from what all members of an organization may read. Where the quotes stand is stored, and not their words. */
export function organizationAnswers({ clock, metering, openAnswers, events }: OrganizationAnswerDeps) {
  async function answer(
    scope: TenantScope,
    { id, orgId, question }: { id: string; orgId: string; question: string },
  ): Promise<void> {
    const beganAt = clock.now()
    const places = await openAnswers().find(scope, orgId, question)
    await transaction(scope, async (tx) => {
      // What is quoted is locked before drafts, in the order of an erasure.
      const current = await openAnswers().hold(tx, orgId, places)
      if (!(await markAnswered(tx, id, { now: clock.now() }))) return
      await insertCitations(tx, id, current)
      await events.emit(tx, 'answer.drafted', { tenantId: tx.tenantId, answerId: id })
      await metering.countAnyway(tx, { orgId, engine: 'local', at: beganAt, amounts: { asks: 1 } })
    })
  }

  /** The quotes as all members may read them at this moment. */
  async function listQuotes(scope: TenantScope, { id, orgId }: { id: string; orgId: string }): Promise<AnswerQuote[]> {
    const citations = await listCitations(scope, id)
    const quotes = await openAnswers().quote(scope, orgId, citations)
    return citations.flatMap(({ meetingAt }, index): AnswerQuote[] => {
      const found = quotes[index]
      if (found === null || found === undefined) return []
      const { itemId, title, version, place, page, headings, speaker, timestamp, quote } = found
      if (meetingAt === null)
        return [{ documentId: itemId, documentTitle: title, version, page, heading: headings, quote }]
      const spoken = { seq: place, speaker: speaker ?? '', timestamp: timestamp ?? '', quote }
      return [{ meetingId: itemId, meetingTitle: title, meetingAt, ...spoken }]
    })
  }

  /** Of any answer. */
  const listAllQuotes = (
    scope: TenantScope,
    { id, orgId }: { id: string; orgId: string | null },
  ): Promise<AnswerQuote[]> => (orgId === null ? listMeetingQuotes(scope, id) : listQuotes(scope, { id, orgId }))

  return { answer, listAllQuotes }
}
