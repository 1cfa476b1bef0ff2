import { tenantAdmin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
import { AnswerDetail, AnswerList, AnswerQuery, answerLine, answerView } from './drafted-answer.schema.ts'
import { getAnswer, listAnswers } from './drafted-answer.store.ts'
import type { OrganizationAnswers } from './organization-answer.service.ts'

export const draftedAnswerBase = '/assistant/v1/answers'

type Deps = { organizationAnswers: Pick<OrganizationAnswers, 'listAllQuotes'> }

const declaration = { method: 'GET', tag: 'Inbound webhooks', access: tenantAdmin(productSlugs.assistant) } as const

/**
 * The answers drafted to questions from a chat, for the administrators of the tenant. They decide with the settings of a
 * connection, or with its organization, what everybody in the chat may read quotes of, so they may read these quotes, too.
 */
export function draftedAnswerRoutes({ organizationAnswers }: Deps): Route[] {
  return [
    route({
      ...declaration,
      path: draftedAnswerBase,
      name: 'listDraftedAnswers',
      summary: 'List drafted answers, newest first',
      description: 'Answers to questions that inbound webhooks delivered from a chat. They are kept for 90 days.',
      query: AnswerQuery,
      answers: { 200: AnswerList },
      handle: async ({ scope, query }) => {
        const { page = 1, limit = 20, from, to, ...equal } = query
        const search = {
          ...equal,
          ...readTimes({ from, to }),
        }
        const { items, total } = await listAnswers(scope, search, { page, limit })
        return ok({ answers: items.map(answerLine), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      ...declaration,
      path: `${draftedAnswerBase}/:answerId`,
      name: 'getDraftedAnswer',
      summary: 'Get a drafted answer with its text and quotes',
      description: 'The `targetId` of an effect with the kind `answer` in the log of deliveries.',
      answers: { 200: AnswerDetail },
      handle: async ({ scope, params }) => {
        const answer = await getAnswer(scope, params.answerId)
        const quotes = await organizationAnswers.listAllQuotes(scope, answer)
        return ok({ answer: answerView(answer, quotes) })
      },
    }),
  ]
}
