import { requireRevision } from '../../http/cache/precondition.ts'
import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Members } from '../members.ts'
import type { StoredMessageWithText } from '../message.rules.ts'
import type { EmailUser } from '../owner.ts'
import { type Draft, draftDaysMax } from './draft.rules.ts'
import { discardDraft, discardOldDrafts, eraseQuoting, lockMessage, reopen, saveDraftText } from './draft.store.ts'
import type { ReplySettings } from './examination.ts'
import type { Recipients } from './recipients.ts'
import { findTrace } from './reply.store.ts'
import { deleteReplyCountsBefore } from './reply-count.store.ts'
import type { Trace } from './trace.rules.ts'

export type DraftDeps = {
  clock: Clock
  audit: Audit
  members: Pick<Members, 'holdRole'>
  readSettings(scope: TenantScope, owner: Owner): Promise<ReplySettings>
  /** A mail that the user may read. Refuses NOT_FOUND. */
  getReadable(scope: TenantScope, asked: { user: EmailUser; id: string }): Promise<StoredMessageWithText>
  recipients: Pick<Recipients, 'mayStillRead'>
  /** Looks for an answer to a mail again. */
  answerAgain(tx: TenantScope, messageId: string): Promise<void>
}

type Asked = { user: EmailUser; id: string }

/** `verb`: as the audit log names it. */
type Sending = {
  verb: string
  lock(tx: TenantScope): Promise<Draft>
  send(tx: TenantScope, mail: Draft): Promise<unknown>
}

export type Drafts = ReturnType<typeof draftService>

const dayMs = 24 * 60 * 60 * 1000

/** Answers that wait for a person, and what people do with them. */
export function draftService(deps: DraftDeps) {
  const { clock, audit, members, readSettings, getReadable } = deps

  /** A mail of which the caller decides, locked. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  async function lockMail(tx: TenantScope, asked: Asked): Promise<Draft> {
    await getReadable(tx, asked)
    const mail = await lockMessage(tx, asked.id)
    await requireApprover(tx, asked.user, mail)
    return mail
  }

  /** A draft of which the caller decides, locked. Refuses as `lockMail`, and STATE_CONFLICT. */
  async function lockForApprover(tx: TenantScope, asked: Asked): Promise<Draft> {
    const draft = await lockMail(tx, asked)
    if (draft.status !== 'draft')
      throw new Refusal('STATE_CONFLICT', { detail: `The mail is no longer a draft: it is ${draft.status}.` })
    return draft
  }

  /** Refuses as `lockForApprover`, and PRECONDITION_FAILED where it is another text than the one that was read. */
  async function lockRead(tx: TenantScope, { revision, ...asked }: Asked & { revision: number }): Promise<Draft> {
    const draft = await lockForApprover(tx, asked)
    if (draft.revision === revision) return draft
    const detail = `It has been changed since you read it: its revision is ${draft.revision} now.`
    throw new Refusal('PRECONDITION_FAILED', { detail })
  }

  async function requireApprover(tx: TenantScope, user: EmailUser, { orgId, ownerId }: Draft): Promise<void> {
    const { replies } = await readSettings(tx, { ownerId: ownerId ?? tx.tenantId, orgId })
    const role = orgId === null ? null : await members.holdRole(tx, { orgId, userId: user.id })
    const isAdmin = orgId === null ? user.role === 'ADMIN' : role === 'owner' || role === 'admin'
    const isNamed = replies.approvers.includes(user.id) && (orgId === null || role !== null)
    if (isNamed || (replies.approvers.length === 0 && isAdmin)) return
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'You may not approve answers.' })
  }

  const note = (tx: TenantScope, verb: string, id: string) =>
    audit(tx, { action: `email_message.${verb}`, target: { type: 'email_message', id } })

  /** Refuses as `lockForApprover`, and PRECONDITION_FAILED. */
  const edit = (
    scope: TenantScope,
    { text, ifMatch, ...asked }: Asked & { text: string; ifMatch: string | undefined },
  ) =>
    transaction(scope, async (tx) => {
      requireRevision(ifMatch, await lockForApprover(tx, asked))
      await saveDraftText(tx, { id: asked.id, text })
      await note(tx, 'update', asked.id)
      return getReadable(tx, asked)
    })

  const discard = (scope: TenantScope, asked: Asked): Promise<StoredMessageWithText> =>
    transaction(scope, async (tx) => {
      await lockForApprover(tx, asked)
      await discardDraft(tx, { id: asked.id, cause: 'DISCARDED' })
      await note(tx, 'discard', asked.id)
      return getReadable(tx, asked)
    })

  /** What was looked at for a mail; for one of ours, for the mail that it answers. Null: not yet, or it answers none. */
  async function readTrace(
    scope: TenantScope,
    asked: Asked,
  ): Promise<{ message: StoredMessageWithText; trace: Trace | null }> {
    const message = await getReadable(scope, asked)
    return { message, trace: await findTrace(scope, message.id) }
  }

  /** Looks for an answer to a dead mail again. False where it is not dead. */
  const revive = (tx: TenantScope, id: string): Promise<boolean> => answerFrom(tx, id, 'dead')

  /**
   * Locks a mail and sends it. If its readers may no longer read all that it quotes, or what it quotes was changed, another
   * draft is written instead, and STATE_CONFLICT is refused.
   */
  async function sendReadable(scope: TenantScope, asked: Asked, { verb, lock, send }: Sending) {
    const sent = await transaction(scope, async (tx) => {
      const mail = await lock(tx)
      if (await renewIfClosed(tx, mail)) return null
      await send(tx, mail)
      await note(tx, verb, asked.id)
      return getReadable(tx, asked)
    })
    if (sent !== null) return sent
    throw new Refusal('STATE_CONFLICT', {
      detail:
        'Somebody who would get it may no longer read all that it quotes, or what it quotes was changed. A new draft is written.',
    })
  }

  async function renewIfClosed(tx: TenantScope, mail: Draft): Promise<boolean> {
    const { replies } = await readSettings(tx, { ownerId: mail.ownerId ?? tx.tenantId, orgId: mail.orgId })
    if (await deps.recipients.mayStillRead(tx, mail, replies)) return false
    if (!(await discardDraft(tx, { id: mail.id, cause: 'QUOTE_CLOSED' }))) return false
    if (mail.answersId !== null) await answerFrom(tx, mail.answersId, 'processed')
    return true
  }

  async function answerFrom(tx: TenantScope, id: string, from: 'processed' | 'dead'): Promise<boolean> {
    if (!(await reopen(tx, { id, from }))) return false
    await deps.answerAgain(tx, id)
    return true
  }

  /** What quotes something that is erased loses its words. Drafts, and what waits to be sent, are made again. */
  async function quotesErased(tx: TenantScope, itemIds: readonly string[]): Promise<void> {
    const erased = await eraseQuoting(tx, itemIds)
    await eraseStoredAnswers(
      tx,
      erased.map(({ id }) => id),
    )
    for (const { answersId, wasWaiting } of erased)
      if (wasWaiting && answersId !== null) await answerFrom(tx, answersId, 'processed')
  }

  /** Can be interrupted at any point and run on several nodes at once. */
  async function housekeep(platform: PlatformScope): Promise<void> {
    const now = clock.now().getTime()
    while ((await discardOldDrafts(platform, new Date(now - draftDaysMax * dayMs))) > 0);
    await deleteReplyCountsBefore(platform, new Date(now - 2 * dayMs))
  }

  return { lockMail, lockRead, edit, discard, revive, sendReadable, readTrace, quotesErased, housekeep }
}
