import { type Route, route } from '../../http/route.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { StoredMessageWithText } from '../messages/message.rules.ts'
import { EmailMessageDetail } from '../messages/message.schema.ts'
import { emailAccess as access, type EmailUser, emailBase, emailTag as tag } from '../owner.ts'
import { draftAnswer } from './draft.routes.ts'
import type { Drafts } from './draft.service.ts'

type RetryDeps = {
  drafts: Pick<Drafts, 'lockMail' | 'note' | 'revive'>
  requeue(tx: TenantScope, messageId: string): Promise<boolean>
  getReadable(scope: TenantScope, asked: { user: EmailUser; id: string }): Promise<StoredMessageWithText>
}

export function retryRoute({ drafts, requeue, getReadable }: RetryDeps): Route {
  return route({
    method: 'POST',
    path: `${emailBase}/messages/:messageId/retry`,
    name: 'retryEmailMessage',
    tag,
    summary: 'Send a failed mail again, or look for the answer to a dead one',
    description:
      'For those who approve answers. All attempts begin again; a mail of ours keeps its Message-ID. Any other status is answered with 409, so of several calls at once one sends it.',
    access,
    answers: { 200: EmailMessageDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
    handle: ({ scope, user, params: { messageId: id } }) =>
      transaction(scope, async (tx) => {
        const asked = { user, id }
        const { status } = await drafts.lockMail(tx, asked)
        if (!(await requeue(tx, id)) && !(await drafts.revive(tx, id)))
          throw new Refusal('STATE_CONFLICT', {
            detail: `The mail has not failed, or its words were erased: it is ${status}.`,
          })
        await drafts.note(tx, 'retry', id)
        return draftAnswer(await getReadable(tx, asked))
      }),
  })
}
