import type { Installation } from '../../mime/automatic.ts'
import { isSystemAddress } from '../../mime/system-address.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Replies } from '../configs/config.rules.ts'
import type { AnswersForReaders, CitedPlace, DraftedAnswer } from './answers.ts'
import { type AnswerReader, answerReader, audienceOf, type Sender } from './audience.rules.ts'
import type { Draft } from './draft.rules.ts'
import type { FindSender } from './examination.ts'
import type { ReceivedMail } from './received-mail.ts'
import { joinThread, listMembersOfThread } from './reply.store.ts'

export type RecipientDeps = {
  installation: Pick<Installation, 'isOwnAddress'>
  answers: Pick<AnswersForReaders, 'hold'>
  findSender: FindSender
}

type Answer = {
  mail: ReceivedMail
  replies: Replies
  parts: readonly DraftedAnswer['parts'][number][]
}

/** More are a crowd, and asking for each of them what they may read takes long. */
const othersMax = 20

export type Recipients = ReturnType<typeof recipientChoice>

/** Who gets an answer. */
export function recipientChoice({ installation, answers, findSender }: RecipientDeps) {
  /**
   * The sender; and all to whom the mail went, if each of them is a member or a participant who may read all that the answer rests on.
   */
  async function choose(tx: TenantScope, { mail, replies, parts }: Answer): Promise<string[]> {
    const alone = [mail.from]
    const others = mail.recipients.filter((address) => !installation.isOwnAddress(address))
    const isSimple = others.length === 0 || others.length > othersMax || parts.length === 0 || mail.orgId === null
    if (isSimple || mail.authenticity !== 'pass' || others.some(isSystemAddress)) return alone
    const places = parts.flatMap((part) => part.quotes)
    for (const from of others)
      if (!(await mayRead(tx, { orgId: mail.orgId as string, from, replies, places }))) return alone
    return [mail.from, ...others]
  }

  type Reading = { orgId: string; from: string; replies: Replies; places: readonly CitedPlace[] }

  async function mayRead(tx: TenantScope, { orgId, from, replies, places }: Reading): Promise<boolean> {
    const person = await findSender(tx, { orgId, from })
    const reader = readerOf(person)
    if (reader === null || audienceOf(person, replies) === null) return false
    return holdsAll(tx, { orgId, reader, places })
  }

  async function holdsAll(
    tx: TenantScope,
    { places, ...readers }: { orgId: string; reader: AnswerReader; places: readonly CitedPlace[] },
  ): Promise<boolean> {
    const held = await answers.hold(tx, readers, places)
    return held.every((quote) => quote !== null)
  }

  /** Whether all who get an answer, and all to whom the API shows it, may read what it rests on at this moment. */
  async function mayStillRead(tx: TenantScope, draft: Draft, replies: Replies): Promise<boolean> {
    const { orgId, threadId, places } = draft
    const [from, ...others] = draft.to
    if (orgId === null || from === undefined || places.length === 0) return true
    const members = threadId === null ? [] : await listMembersOfThread(tx, { threadId, orgId })
    const reader = answerReader(await findSender(tx, { orgId, from }), members)
    if (!(await holdsAll(tx, { orgId, reader, places }))) return false
    for (const other of others) if (!(await mayRead(tx, { orgId, from: other, replies, places }))) return false
    return true
  }

  /**
   * Others who get the answer belong to the conversation from now on, if they know all of it: if it begins with the mail that they got.
   */
  async function join(tx: TenantScope, { mail, to }: { mail: ReceivedMail; to: readonly string[] }): Promise<void> {
    const { threadId, id: messageId, orgId } = mail
    if (threadId === null || to.length === 1) return
    for (const from of to.slice(1)) {
      const { userId } = await findSender(tx, { orgId, from })
      await joinThread(tx, { threadId, messageId, address: from, userId })
    }
  }

  return { choose, join, mayStillRead }
}

/** Null: nobody whom we know. */
function readerOf({ isMember, isParticipant, userId, address }: Sender) {
  if (isMember && userId !== null) return { userIds: [userId] }
  return isParticipant ? { participant: address } : null
}
