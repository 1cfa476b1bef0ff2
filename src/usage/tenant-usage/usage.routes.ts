import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { csvAnswer, csvMediaType, wantsCsv } from '../../http/csv-answer.ts'
import { periodRules, readPeriod } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { csvLine } from '../../kernel/csv.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { type UsageField, usageFields } from './usage.rules.ts'
import { TenantUsageAnswer, TenantUsageQuery } from './usage.schema.ts'
import { usageByDay } from './usage.store.ts'

export type UsageRouteDeps = {
  clock: Clock
  tenantExists(platform: PlatformScope, tenantId: string): Promise<boolean>
}

export function usageRoutes({ clock, tenantExists }: UsageRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/usage',
      name: 'getTenantUsage',
      tag: 'Analytics',
      summary: 'Get the usage of a tenant by day and product',
      description:
        '`from` and `to` are UTC days, both included; at most 366 days. New usage appears within about a second. As `text/csv` (`Accept` or `format=csv`) one line for each day and product.',
      access: admin('VIEWER'),
      query: TenantUsageQuery,
      answers: {
        200: {
          json: TenantUsageAnswer,
          rawTypes: [csvMediaType],
          description: 'The usage of each day, as JSON or as a CSV file.',
        },
      },
      refusals: ['NOT_FOUND'],
      rules: ({ query }) => periodRules(query, clock),
      handle: async ({ platform, params: { tenantId }, query, headers }) => {
        const { from, to } = readPeriod(query, clock)
        if (!(await tenantExists(platform, tenantId))) throw notFound()
        const days = await usageByDay(platform, { tenantId, from, to })
        const usage = days.map(({ day, product, ...used }) => ({
          day,
          product: product === '' ? null : product,
          ...usageView(used),
        }))
        if (wantsCsv(query.format, headers.accept)) return csvAnswer(toCsv(usage), `usage-${from}-${to}`)
        return { ...ok({ from, to, usage, totals: usageView(totalUsage(days)) }), headers: { vary: 'Accept' } }
      },
    }),
  ]
}

type Used = Record<UsageField, number>

function usageView({ connectionSeconds, ...used }: Used) {
  return { ...used, connectionMinutes: Math.floor(connectionSeconds / 60) }
}

type Line = { day: string; product: string | null } & ReturnType<typeof usageView>

function toCsv(usage: Line[]): string {
  // Column names, also for a file without lines.
  const names = Object.keys(usageView(totalUsage([]))) as (keyof ReturnType<typeof usageView>)[]
  const lines = usage.map((line) => csvLine([line.day, line.product, ...names.map((name) => String(line[name]))]))
  return `${csvLine(['day', 'product', ...names])}${lines.join('')}`
}

function totalUsage(days: Used[]): Used {
  const sums = Object.fromEntries(usageFields.map((field) => [field, days.reduce((sum, day) => sum + day[field], 0)]))
  return sums as Used
}
