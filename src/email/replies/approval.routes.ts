import { type Route, route } from '../../http/route.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { StoredMessageWithText } from '../messages/message.rules.ts'
import { EmailMessageDetail } from '../messages/message.schema.ts'
import { emailAccess as access, type EmailUser, emailBase, emailTag as tag } from '../owner.ts'
import { draftAnswer } from './draft.routes.ts'
import type { Drafts } from './draft.service.ts'
import type { Release } from './write-notice.ts'

export type ApprovalDeps = {
  drafts: Drafts
  release: Release
  getReadable(scope: TenantScope, asked: { user: EmailUser; id: string }): Promise<StoredMessageWithText>
}

const Approval = StrictObject({
  revision: Type.Integer({ minimum: 1, description: 'The revision that you have read.', examples: [1] }),
})

type Asked = { user: EmailUser; id: string; revision: number }

export function approvalRoute(deps: ApprovalDeps): Route {
  return route({
    method: 'POST',
    path: `${emailBase}/messages/:messageId/approve`,
    name: 'approveEmailDraft',
    tag,
    summary: 'Send a draft',
    description:
      'Only the text that you have read: if it was changed since, the answer is 412. Of several calls at once one sends it, and the others are answered with 409. If somebody who would get it may not read all that it quotes any more, or what it quotes was changed, the answer is 409 as well, and a new draft is written.',
    access,
    body: Approval,
    answers: { 200: EmailMessageDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'PRECONDITION_FAILED', 'QUOTA_EXCEEDED'],
    handle: async ({ scope, user, params: { messageId: id }, body: { revision } }) =>
      draftAnswer(await approveDraft(deps, scope, { user, id, revision })),
  })
}

/** Refuses as `lockForApprover`, and PRECONDITION_FAILED for a text that was not read. */
async function approveDraft(
  { drafts, release, getReadable }: ApprovalDeps,
  scope: TenantScope,
  { revision, ...asked }: Asked,
): Promise<StoredMessageWithText> {
  const sent = await transaction(scope, async (tx) => {
    const draft = await drafts.lockForApprover(tx, asked)
    if (draft.revision !== revision)
      throw new Refusal('PRECONDITION_FAILED', {
        detail: `It has been changed since you read it: its revision is ${draft.revision} now.`,
      })
    if (await drafts.renewIfClosed(tx, draft)) return null
    await release(tx, { messageId: asked.id, isAutomatic: false })
    await drafts.note(tx, 'approve', asked.id)
    return getReadable(tx, asked)
  })
  if (sent !== null) return sent
  throw new Refusal('STATE_CONFLICT', {
    detail:
      'Somebody who would get it may not read all that it quotes any more, or what it quotes was changed. A new draft is written.',
  })
}
