import { tenantAdmin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
import { MessageDetail, MessageList, MessageQuery, messageLine, messageView } from './mail-message.schema.ts'
import { getMessage, listMessages } from './mail-message.store.ts'

export const mailMessageBase = '/assistant/v1/email'
const declaration = { method: 'GET', tag: 'Inbound webhooks', access: tenantAdmin(productSlugs.assistant) } as const

/** The mails that inbound webhooks delivered, for the administrators of the tenant. */
export function mailMessageRoutes(): Route[] {
  return [
    route({
      ...declaration,
      path: `${mailMessageBase}/messages`,
      name: 'listReceivedMails',
      summary: 'List received mails, newest first',
      description: 'Mails that inbound webhooks delivered. They are kept for 90 days.',
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
        return ok({ messages: items.map(messageLine), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      ...declaration,
      path: `${mailMessageBase}/messages/:messageId`,
      name: 'getReceivedMail',
      summary: 'Get a received mail with its text',
      description: 'The `targetId` of an effect with the kind `message` in the log of deliveries.',
      answers: { 200: MessageDetail },
      handle: async ({ scope, params }) => ok({ message: messageView(await getMessage(scope, params.messageId)) }),
    }),
  ]
}
