import { type Route, route } from '../../http/route.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { EmailMessageDetail } from '../message.schema.ts'
import { emailAccess as access, emailBase, emailTag as tag } from '../owner.ts'
import type { Draft } from '../replies/draft.rules.ts'
import type { Drafts } from '../replies/draft.service.ts'
import type { Release } from '../replies/write-notice.ts'
import { draftAnswer } from './draft.routes.ts'

type ApprovalDeps = { drafts: Drafts; release: Release }

const Approval = StrictObject({
  revision: Type.Integer({ minimum: 1, description: 'The revision that you have read.', examples: [1] }),
})

export function approvalRoute({ drafts, release }: ApprovalDeps): Route {
  return route({
    method: 'POST',
    path: `${emailBase}/messages/:messageId/approve`,
    name: 'approveEmailDraft',
    tag,
    summary: 'Send a draft',
    description:
      'Only the text that you have read: if it was changed since, the answer is 412. Of several calls at once one sends it, and the others are answered with 409. If somebody who would get it may no longer read all that it quotes, or what it quotes was changed, the answer is 409 as well, and a new draft is written.',
    access,
    body: Approval,
    answers: { 200: EmailMessageDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'PRECONDITION_FAILED', 'QUOTA_EXCEEDED'],
    handle: async ({ scope, user, params: { messageId: id }, body: { revision } }) => {
      const lock = (tx: TenantScope) => drafts.lockRead(tx, { user, id, revision })
      const send = (tx: TenantScope) => release(tx, { messageId: id, isAutomatic: false })
      return draftAnswer(await drafts.sendReadable(scope, { user, id }, { verb: 'approve', lock, send }))
    },
  })
}

type RetryDeps = {
  drafts: Pick<Drafts, 'lockMail' | 'revive' | 'sendReadable'>
  requeue(tx: TenantScope, messageId: string): Promise<boolean>
}

export function retryRoute({ drafts, requeue }: RetryDeps): Route {
  return route({
    method: 'POST',
    path: `${emailBase}/messages/:messageId/retry`,
    name: 'retryEmailMessage',
    tag,
    summary: 'Send a failed mail again, or look for the answer to a dead one',
    description:
      'For those who approve answers. All attempts begin again; a mail of ours keeps its Message-ID. Any other status is answered with 409, so of several calls at once one sends it. If somebody who would get it may no longer read all that it quotes, the answer is 409 as well, and a new draft is written.',
    access,
    answers: { 200: EmailMessageDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
    handle: async ({ scope, user, params: { messageId: id } }) => {
      const send = async (tx: TenantScope, { status }: Draft) => {
        if ((await requeue(tx, id)) || (await drafts.revive(tx, id))) return
        const detail = `The mail has not failed, or its words were erased: it is ${status}.`
        throw new Refusal('STATE_CONFLICT', { detail })
      }
      const lock = (tx: TenantScope) => drafts.lockMail(tx, { user, id })
      return draftAnswer(await drafts.sendReadable(scope, { user, id }, { verb: 'retry', lock, send }))
    },
  })
}
