import { admin } from '../http/access/access.ts'
import { ok } from '../http/answer.ts'
import { type Route, route } from '../http/route.ts'
import { toPagination } from '../kernel/paging.ts'
import { MailDetail, MailList, MailQuery, mailView } from './mail.schema.ts'
import type { Outbox } from './outbox.service.ts'

const tag = 'Administration'

export function mailRoutes(outbox: Outbox): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/platform/admin/mails',
      name: 'listMails',
      tag,
      summary: 'List mails of the last 30 days, newest first',
      description: 'The content is not shown, because it contains tokens.',
      access: admin('VIEWER'),
      query: MailQuery,
      answers: { 200: MailList },
      handle: async ({ platform, query: { page = 1, limit = 20, tenantId = null, status = null } }) => {
        const { items, total } = await outbox.list(platform, { page, limit, tenantId, status })
        return ok({ mails: items.map(mailView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/platform/admin/mails/:mailId/retry',
      name: 'retryMail',
      tag,
      summary: 'Retry a mail',
      description:
        'Sends a failed or waiting mail now. 409 `STATE_CONFLICT` if its token is no longer valid or the mail is just being sent.',
      access: admin('OWNER'),
      answers: { 200: MailDetail },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ platform, params }) => ok({ mail: mailView(await outbox.retry(platform, params.mailId)) }),
    }),
  ]
}
