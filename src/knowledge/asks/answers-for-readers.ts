import type { TenantModel } from '../../ai/tenant-model.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import type { CitedPlace, Quote } from '../search/passage.rules.ts'
import type { PassageReader } from '../search/passages.ts'
import type { Reader } from '../search/visible.store.ts'
import type { DraftAnswer, Drafted } from './draft-answer.ts'

export type AnswersForReadersDeps = {
  draft: DraftAnswer
  passages: PassageReader
  members: Pick<OrganizationMembers, 'hold'>
  metering: Pick<Metering, 'countAnswer'>
  /** Null: all answers consist of quotes. */
  model: TenantModel | null
}

export type ReaderOfOrganization = { orgId: string; reader: Reader }
export type AskedForReader = ReaderOfOrganization & {
  question: string
  userId: string | null
  meetingId: string | null
}

export type AnswersForReaders = ReturnType<typeof answersForReaders>

/** Answers for somebody who reads them elsewhere, for example in a mail: they rest only on what that reader may read. */
export function answersForReaders({ draft, passages, members, metering, model }: AnswersForReadersDeps) {
  /**
   * The answer, and after one of a model what takes its place. Refuses USAGE_EXCEEDED, and UNAVAILABLE where too many ask.
   * @param asked `meetingId`: only from this meeting.
   */
  async function find(scope: TenantScope, asked: AskedForReader): Promise<Drafted[]> {
    const { orgId, reader, question, userId, meetingId } = asked
    const usesModel = model !== null
    const filter = meetingId === null ? {} : { meetingId }
    const subject = { orgId, userId }
    const use = { ...subject, engine: usesModel ? 'llm' : 'local' } as const
    const { drafts } = await metering.countAnswer(scope, use, async (isWithin) => {
      const asking = { orgId, reader, filter }
      const { drafts } = await draft(scope, { asking, question, usesModel, isWithin, subject })
      return { drafts, engine: drafts[0]?.engine ?? 'local' }
    })
    return drafts
  }

  /** The same without counting it, by quotes alone. */
  async function preview(scope: TenantScope, asked: AskedForReader): Promise<Drafted[]> {
    const { orgId, reader, question, userId, meetingId } = asked
    const asking = { orgId, reader, filter: meetingId === null ? {} : { meetingId } }
    const subject = { orgId, userId }
    return (await draft(scope, { asking, question, usesModel: false, isWithin: true, subject })).drafts
  }

  /**
   * What the places say, as the reader may read it at this moment; null for what is gone, was replaced or closed. Until the
   * transaction ends nothing of them is deleted.
   */
  async function hold(
    tx: TenantScope,
    { orgId, reader }: ReaderOfOrganization,
    places: readonly CitedPlace[],
  ): Promise<(Quote | null)[]> {
    if (!(await members.hold(tx, orgId))) return places.map(() => null)
    await passages.hold(tx, places)
    return passages.quote(tx, { orgId, reader, isCurrent: true }, places)
  }

  return { find, preview, hold }
}
