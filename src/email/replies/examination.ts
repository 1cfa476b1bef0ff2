import { Refusal } from '../../kernel/refusal.ts'
import { automaticCause, type Installation } from '../../mime/automatic.ts'
import { replyText } from '../../mime/reply-text.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Identity, Replies } from '../configs/config.rules.ts'
import { asksToStop, type SuppressionReason } from '../suppressions/suppression.rules.ts'
import { questionOf } from './answer-text.rules.ts'
import type { AnswersForReaders, DraftedAnswer } from './answers.ts'
import { type AnswerReader, answerReader, type Sender } from './audience.rules.ts'
import { judge } from './judgement.rules.ts'
import type { ReceivedMail } from './received-mail.ts'
import { findUserByAddress, isRepeated, listMembersOfThread } from './reply.store.ts'
import type { Trace, TraceLine } from './trace.rules.ts'

export type ExaminationDeps = {
  installation: Installation
  answers: Pick<AnswersForReaders, 'find' | 'preview'>
  findSuppression(scope: TenantScope, address: string): Promise<{ reason: SuppressionReason } | null>
  findSender: FindSender
}

export type SenderDeps = {
  /** Whether a meeting of the organization that is not private names the address among its participants. */
  hasParticipant(scope: TenantScope, asked: { orgId: string; address: string }): Promise<boolean>
}

export type ReplySettings = { identity: Identity; replies: Replies }

export type Examined = {
  trace: Trace
  sender: Sender
  replyText: string
  automatic: string | null
  asksToStop: boolean
  isSuppressed: boolean
  reader: AnswerReader
  /** What may be answered, best first. Empty where the mail is not answered. */
  drafts: readonly DraftedAnswer[]
}

export type FindSender = (scope: TenantScope, asked: { orgId: string | null; from: string }) => Promise<Sender>

/** Who an address is to an organization, or to the tenant. */
export function senderFinder({ hasParticipant }: SenderDeps): FindSender {
  return async (scope, { orgId, from: address }) => {
    const user = await findUserByAddress(scope, { address, orgId })
    const isParticipant = orgId !== null && (await hasParticipant(scope, { orgId, address }))
    // The tenant itself has users and no members.
    const isMember = user !== null && (orgId === null || user.isMember)
    return { address, userId: user?.userId ?? null, isMember, isParticipant }
  }
}

/** Looks at a mail and for an answer to it. Changes nothing. */
export function examination({ installation, answers, findSuppression, findSender }: ExaminationDeps) {
  /** @param isPreview nothing is counted, and no model is asked. */
  return async (
    scope: TenantScope,
    mail: ReceivedMail,
    { settings, isPreview }: { settings: ReplySettings; isPreview: boolean },
  ): Promise<Examined> => {
    const { orgId, threadId } = mail
    const words = replyText(mail.text)
    const sender = await findSender(scope, mail)
    const automatic = automaticCause(mail, installation)
    const suppression = await findSuppression(scope, mail.from)
    const opensThread = mail.inReplyTo === null && mail.references.length === 0
    const question = questionOf({ subject: mail.subject, replyText: words, opensThread })
    const judged = {
      quarantine: mail.quarantine,
      authenticity: mail.authenticity,
      automatic,
      asksToStop: asksToStop(words),
      suppression: suppression?.reason ?? null,
      isAddressed: mail.ownerId !== null,
      isStranger: mail.isStranger,
      isRepeated: threadId !== null && (await isRepeated(scope, { id: mail.id, threadId, replyText: words })),
      hasQuestion: words !== '' && question !== '',
    }
    const before = judge({ mail: judged, sender, replies: settings.replies })
    const members = orgId === null || threadId === null ? [] : await listMembersOfThread(scope, { threadId, orgId })
    const reader = answerReader(sender, members)
    const rest = {
      sender,
      replyText: words,
      automatic,
      asksToStop: judged.asksToStop,
      reader,
      isSuppressed: suppression !== null,
    }
    if (before.some(({ result }) => result === 'stopped')) return { ...rest, trace: before, drafts: [] }
    const { drafts, line } = await search(scope, { orgId, reader, question, userId: sender.userId, isPreview })
    return { ...rest, trace: [...before, line], drafts }
  }

  type Search = {
    orgId: string | null
    reader: AnswerReader
    question: string
    userId: string | null
    isPreview: boolean
  }

  async function search(
    scope: TenantScope,
    { orgId, reader, question, userId, isPreview }: Search,
  ): Promise<{ drafts: readonly DraftedAnswer[]; line: TraceLine }> {
    // A tenant by itself has no documents and no meetings.
    if (orgId === null) return { drafts: [], line: retrieved(0) }
    const asked = { orgId, reader, question, userId, meetingId: null }
    try {
      const drafts = await (isPreview ? answers.preview(scope, asked) : answers.find(scope, asked))
      return { drafts, line: retrieved(countQuotes(drafts)) }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'USAGE_EXCEEDED') throw error
      const detail = 'The limit of answers is reached.'
      return { drafts: [], line: { step: 'retrieved', result: 'stopped', cause: 'UNAVAILABLE', detail } }
    }
  }
}

const countQuotes = ([first]: readonly DraftedAnswer[]): number =>
  first === undefined || !first.found ? 0 : first.parts.reduce((sum, { quotes }) => sum + quotes.length, 0)

/** What was found. `count`: quotes that may be shown. */
export function retrieved(count: number): TraceLine {
  if (count > 0) return { step: 'retrieved', result: 'passed', cause: null, detail: `${count} quotes answer it.` }
  const detail = 'Nothing that all readers of the answer may read answers it.'
  return { step: 'retrieved', result: 'held', cause: 'NOTHING_FOUND', detail }
}
