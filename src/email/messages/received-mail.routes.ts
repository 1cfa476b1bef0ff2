import { tenantAdmin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
import { notFound } from '../../kernel/refusal.ts'
import { listMessages } from '../inbox/mail-message.store.ts'
import { emailMessageLine } from '../message.schema.ts'
import { findMessage } from '../message.store.ts'
import { getById } from '../reading-access.ts'
import { MessageDetail, MessageList, MessageQuery, tenantMessageView } from './received-mail.schema.ts'

export const receivedMailBase = '/assistant/v1/email'
const declaration = { method: 'GET', tag: 'E-mail', access: tenantAdmin(productSlugs.assistant) } as const

/** The received mails of no organization, for the administrators of the tenant. */
export function receivedMailRoutes(): Route[] {
  return [
    route({
      ...declaration,
      path: `${receivedMailBase}/messages`,
      name: 'listReceivedMails',
      summary: 'List received mails, newest first',
      description:
        'Mails to the tenant, and mails from inbound webhooks that were addressed to nobody here. Mails of organizations are in their threads. They are kept for 90 days.',
      query: MessageQuery,
      answers: { 200: MessageList },
      handle: async ({ scope, query }) => {
        const { page = 1, limit = 20, connectionId, sender, from, to } = query
        const search = {
          connectionId,
          sender,
          ...readTimes({ from, to }),
        }
        const { items, total } = await listMessages(scope, search, { page, limit })
        return ok({ messages: items.map(emailMessageLine), pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}

/** One of them, for administrators of the platform: users have a route of their own. */
export function receivedMailRoute(): Route {
  return route({
    ...declaration,
    path: `${receivedMailBase}/messages/:messageId`,
    name: 'getReceivedMail',
    summary: 'Get a received mail with its text',
    description: 'The `targetId` of an effect with the kind `message` in the log of deliveries.',
    answers: { 200: MessageDetail },
    handle: async ({ scope, params }) => {
      const message = await getById(params.messageId, (id) => findMessage(scope, id))
      // What an organization writes is not shown to the platform.
      if (message.orgId !== null) throw notFound()
      return ok({ message: tenantMessageView(message) })
    },
  })
}
