import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { csvAnswer, csvMediaType, wantsCsv } from '../../http/csv-answer.ts'
import { periodRules, readPeriod } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { idFilter } from '../id-filter.ts'
import { EventList, EventQuery } from './event.schema.ts'
import { listEvents, totalMax } from './event.store.ts'
import { exportEvents, exportEventsMax } from './event-export.service.ts'

export function eventRoute({ clock }: { clock: Clock }): Route {
  return route({
    method: 'GET',
    path: '/admin/analytics/events',
    name: 'listAnalyticsEvents',
    tag: 'Analytics',
    summary: 'List single visits, newest first',
    description: `UTC days, both included; at most 366. No IP address is stored. \`total\` counts up to ${totalMax}. As \`text/csv\` (by \`Accept\` or \`format=csv\`) all matching visits come in one file, up to the newest ${exportEventsMax}; \`page\` and \`limit\` are then ignored.`,
    access: admin('VIEWER'),
    query: EventQuery,
    answers: {
      200: { json: EventList, rawTypes: [csvMediaType], description: 'A page of visits, or a file of them.' },
    },
    rules: ({ query }) => periodRules(query, clock),
    handle: async ({ platform, query, headers }) => {
      const { page = 1, limit = 20, type = null, productId, format } = query
      const { from, to, start, end } = readPeriod(query, clock)
      const filter = { type, productId: idFilter(productId), from: start, until: end }
      if (wantsCsv(format, headers.accept)) return csvAnswer(exportEvents(platform, filter), `visits-${from}-${to}`)
      const { items, total } = await listEvents(platform, { page, limit, ...filter })
      const body = {
        events: items.map((event) => ({
          ...event,
          type: event.type as NonNullable<EventQuery['type']>,
          at: event.at.toISOString(),
        })),
        pagination: toPagination({ page, limit }, total),
      }
      return { ...ok(body), headers: { vary: 'Accept' } }
    },
  })
}
