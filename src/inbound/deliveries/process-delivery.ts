import { createHash } from 'node:crypto'
import { storeMessage } from '../../email/inbox/mail-message.store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { DraftedAnswers } from '../../meetings/answers/drafted-answer.service.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { followIssue } from '../../tasks/task.store.ts'
import type { Effect, Outcome, Process, Received } from '../processing.ts'
import type { IssueForm, MailForm, MentionForm } from '../readers/normal-form.ts'
import { readDelivery } from '../readers/read-delivery.ts'

export type ProcessingDeps = {
  clock: Clock
  drafts: Pick<DraftedAnswers, 'ask'>
}

// A tracker's clock that is further ahead than this is wrong, and must not keep later changes out.
const clockSkewMsMax = 10 * 60 * 1000

/**
 * What deliveries lead to. Throws Unprocessable for what cannot be read. Of the connection's settings are read: `ownActor`,
 * who we are in the tracker, and `userId`, whose meetings may be quoted in the chat.
 */
export function deliveryProcessing({ clock, drafts }: ProcessingDeps): Process {
  return async (tx, received) => {
    const form = readDelivery(received)
    if (form.kind === 'ignored') return form
    if (form.kind === 'comment') return ignoredFor(`A comment on ${form.key} changes no task.`)
    if (form.kind === 'notification')
      return ignoredFor(`No calendar is connected that could be asked about ${form.resources.length} changes.`)
    if (form.kind === 'email.received') return { kind: 'processed', effects: [await keepMail(tx, received, form)] }
    return form.kind === 'chat.mention' ? answer(tx, received, form) : follow(tx, received, form)
  }

  async function follow(tx: TenantScope, received: Received, form: IssueForm): Promise<Outcome> {
    // What we wrote into the tracker comes back as a delivery, and would go round for ever.
    if (form.actor !== null && form.actor === received.settings['ownActor'])
      return ignoredFor('We made this change ourselves.')
    const { issue } = form
    const isDeleted = form.kind === 'issue.deleted'
    const now = clock.now()
    const state = {
      connectionId: received.connectionId,
      // Kept also where no task was made of it before: an older change that comes later must not bring it back.
      issue: isDeleted ? { ...issue, status: 'dismissed' as const } : issue,
      updatedAt: changedAt(form, received),
      receivedAt: received.receivedAt,
      effectKey: `task:${received.id}`,
    }
    const { id, action } = await followIssue(tx, state, { id: newId(now), now })
    return { kind: 'processed', effects: [{ kind: 'task', action, targetId: id, status: 'DONE' }] }
  }

  async function answer(tx: TenantScope, received: Received, form: MentionForm): Promise<Outcome> {
    if (form.isBot) return ignoredFor('A program wrote it: two that answer each other never end.')
    if (form.text === '') return ignoredFor('The mention asks nothing.')
    // An app that others can install, too, brings their questions with the same good signature.
    const workspace = received.settings['workspace']
    if (workspace !== undefined && workspace !== form.workspace) return ignoredFor('It was asked in another workspace.')
    const userId = received.settings['userId']
    const effect = await drafts.ask(tx, {
      connectionId: received.connectionId,
      // By message and not by delivery: a provider may tell of one message in two events.
      effectKey: keyOf('answer', received.connectionId, form.conversation, form.messageId),
      channel: received.channel,
      conversation: form.conversation,
      thread: form.thread,
      serviceUrl: form.serviceUrl,
      askedBy: form.user,
      question: form.text,
      userId: typeof userId === 'string' ? userId : null,
    })
    return { kind: 'processed', effects: [effect] }
  }

  async function keepMail(tx: TenantScope, received: Received, form: MailForm): Promise<Effect> {
    const { kind: _, messageId: sentId, ...mail } = form
    const messageId = sentId ?? `sha256:${createHash('sha256').update(received.body).digest('hex')}`
    const { id, isNew } = await storeMessage(tx, {
      ...mail,
      // A row of an index has room for about 2,700 bytes.
      messageId: messageId.length > 250 ? keyOf('long', messageId) : messageId,
      id: newId(clock.now()),
      connectionId: received.connectionId,
      effectKey: keyOf('mail', received.connectionId, messageId),
      receivedAt: received.receivedAt,
    })
    const effect = { kind: 'message', action: isNew ? 'stored' : 'unchanged', targetId: id } as const
    if (mail.raw !== null) return { ...effect, status: 'DONE' }
    return { ...effect, status: 'PENDING', reason: 'The provider put the mail into a bucket that is not connected.' }
  }
}

/** Deletions have no moment of their own everywhere; when it came is after everything that was told before. */
function changedAt({ kind, updatedAt, notBefore }: IssueForm, { occurredAt, receivedAt }: Received): Date {
  const told = updatedAt ?? (kind === 'issue.deleted' ? receivedAt : (occurredAt ?? receivedAt))
  const at = notBefore && notBefore > told ? notBefore : told
  return at.getTime() > receivedAt.getTime() + clockSkewMsMax ? receivedAt : at
}

function ignoredFor(reason: string): Outcome {
  return { kind: 'ignored', reason }
}

/** A digest: some providers' names are longer than an index takes. */
function keyOf(kind: string, ...parts: string[]): string {
  return `${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}
