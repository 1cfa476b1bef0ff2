import { ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import type { StoredMessageWithText } from '../message.rules.ts'
import { EmailMessageDetail, emailMessageView } from '../message.schema.ts'
import { emailAccess as access, emailBase, emailTag as tag } from '../owner.ts'
import { DraftBody, TraceDetail, traceView } from '../replies/draft.schema.ts'
import type { Drafts } from '../replies/draft.service.ts'

const one = `${emailBase}/messages/:messageId` as const

/** A mail with the tag of its revision. */
export function draftAnswer(message: StoredMessageWithText) {
  const answer = { ...ok({ message: emailMessageView(message) }), headers: { 'cache-control': 'no-store' } }
  return withETag(answer, message)
}

export function draftRoutes(drafts: Drafts): Route[] {
  return [
    route({
      method: 'PATCH',
      path: one,
      name: 'updateEmailDraft',
      tag,
      summary: 'Change the text of a draft',
      description:
        'For those who approve answers: `replies.approvers` of the settings, or else admins and owners. The draft gets another `revision`.',
      access,
      body: DraftBody,
      conditional: true,
      answers: { 200: EmailMessageDetail },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params: { messageId: id }, body: { text }, headers }) =>
        draftAnswer(await drafts.edit(scope, { user, id, text, ifMatch: headers['if-match'] })),
    }),
    route({
      method: 'POST',
      path: `${one}/discard`,
      name: 'discardEmailDraft',
      tag,
      summary: 'Discard a draft',
      description: 'It is kept for 90 days as `discarded`, and never sent.',
      access,
      answers: { 200: EmailMessageDetail },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params: { messageId: id } }) =>
        draftAnswer(await drafts.discard(scope, { user, id })),
    }),
    route({
      method: 'GET',
      path: `${one}/trace`,
      name: 'getEmailTrace',
      tag,
      summary: 'Show why a received mail was answered or not',
      description: 'One line for each step, also for mails that are not answered.',
      access,
      answers: { 200: TraceDetail },
      handle: async ({ scope, user, params: { messageId: id } }) => {
        const { trace } = await drafts.readTrace(scope, { user, id })
        return { ...ok({ trace: traceView(trace) }), headers: { 'cache-control': 'no-store' } }
      },
    }),
  ]
}
