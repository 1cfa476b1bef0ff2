import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { access, base, tag } from '../access.ts'
import {
  NewOwnLimit,
  OwnLimitDetail,
  OwnLimitList,
  OwnLimitListQuery,
  OwnLimitQuery,
  ownLimitView,
} from './own-limit.schema.ts'
import { keyRules, type OwnLimitService } from './own-limit.service.ts'

const path = `${base}/limits` as const

export function ownLimitRoutes(limits: OwnLimitService): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listUsageLimits',
      tag,
      summary: 'List the limits that the tenant has set for its organizations and users',
      access,
      query: OwnLimitListQuery,
      answers: { 200: OwnLimitList },
      handle: async ({ scope, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await limits.list(scope, { page, limit })
        return ok({ limits: items.map(ownLimitView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'PUT',
      path,
      name: 'setUsageLimit',
      tag,
      summary: 'Limit the usage of an organization, a user, or each user',
      description:
        'Applies to the next use. It can only lower what is possible, because the limit of the tenant applies as well. A user’s own limit replaces that of each user.',
      access,
      body: NewOwnLimit,
      answers: { 200: OwnLimitDetail },
      refusals: ['QUOTA_EXCEEDED'],
      rules: ({ body }) => keyRules(body, 'body'),
      handle: async ({ scope, body }) => ok({ limit: ownLimitView(await limits.set(scope, body)) }),
    }),
    route({
      method: 'DELETE',
      path,
      name: 'deleteUsageLimit',
      tag,
      summary: 'Delete a limit of an organization, a user, or each user',
      access,
      query: OwnLimitQuery,
      answers: { 204: null },
      refusals: ['NOT_FOUND'],
      rules: ({ query }) => keyRules(query, 'query'),
      handle: async ({ scope, query }) => {
        await limits.remove(scope, query)
        return noContent()
      },
    }),
  ]
}
