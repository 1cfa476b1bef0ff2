import { ok, raw } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Members } from '../members.ts'
import type { StoredMessageWithText } from '../message.rules.ts'
import { EmailMessageDetail, emailMessageView } from '../message.schema.ts'
import { findMessage, readRaw } from '../message.store.ts'
import { emailAccess as access, type EmailUser, emailBase, emailTag as tag } from '../owner.ts'
import { getById, mayRead } from '../reading-access.ts'

export type MessageReading = {
  members: Members
  isCorrespondent(scope: TenantScope, of: { threadId: string; userId: string }): Promise<boolean>
}

/** A mail that the user may read. Refuses NOT_FOUND. */
export async function getReadableMessage(
  { members, isCorrespondent }: MessageReading,
  scope: TenantScope,
  { user, id }: { user: EmailUser; id: string },
): Promise<StoredMessageWithText> {
  const message = await getById(id, (known) => findMessage(scope, known))
  const { threadId, orgId } = message
  const own = async () => threadId !== null && isCorrespondent(scope, { threadId, userId: user.id })
  // A mail that reached no address of ours belongs to the tenant.
  if (!(await mayRead(members, scope, { user, orgId, isCorrespondent: own }))) throw notFound()
  return message
}

const one = `${emailBase}/messages/:messageId` as const

export function messageRoutes(reading: MessageReading): Route[] {
  return [
    route({
      method: 'GET',
      path: one,
      name: 'getEmailMessage',
      tag,
      summary: 'Get a mail with its text',
      description:
        'Admins and owners of its organization can read all mails, other members those of threads that they take part in. A mail of the tenant is for its administrators.',
      access,
      answers: { 200: EmailMessageDetail },
      handle: async ({ scope, user, params: { messageId: id } }) => {
        const message = await getReadableMessage(reading, scope, { user, id })
        return { ...ok({ message: emailMessageView(message) }), headers: { 'cache-control': 'no-store' } }
      },
    }),
    route({
      method: 'GET',
      path: `${one}/raw`,
      name: 'getRawEmailMessage',
      tag,
      summary: 'Get the bytes of a received mail',
      description: 'The original bytes, kept for 30 days. 404 if there are none, or no longer any.',
      access,
      answers: { 200: { rawTypes: ['message/rfc822'], description: 'The mail.' } },
      handle: async ({ scope, user, params: { messageId: id } }) => {
        const message = await getReadableMessage(reading, scope, { user, id })
        const found = await readRaw(scope, message.id)
        if (found?.type !== 'message/rfc822') throw notFound()
        return raw(found.type, found.bytes, {
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="${message.id}.eml"`,
        })
      },
    }),
  ]
}
