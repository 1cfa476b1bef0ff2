import { ok } from '../../http/answer.ts'
import { csvAnswer, csvMediaType, wantsCsv } from '../../http/csv-answer.ts'
import { periodRules, readPeriod } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { csvLine } from '../../kernel/csv.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { usedMeters } from '../meters/meter.rules.ts'
import { type Organizations, readableSubject, requireOrgId, usageAccess } from '../usage-subject.ts'
import { type GroupName, totalsOf, type UsageLine } from './reading.rules.ts'
import { UsageAnswer, UsageQuery } from './reading.schema.ts'
import { readUsage } from './reading.store.ts'

export type ReadingDeps = { clock: Clock; organizations(): Organizations }

/** About a megabyte. All meters on each of 366 days are fewer. */
const linesMax = 10_000

export function readingRoutes({ clock, organizations }: ReadingDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/usage',
      name: 'getMeterUsage',
      tag: 'Usage',
      summary: 'Get what you, an organization or the tenant has used',
      description: `By meter and by what \`groupBy\` names. \`from\` and \`to\` are UTC days, both included; at most 366 days. Uses that are counted in batches appear within about a second. As \`text/csv\` (\`Accept\` or \`format=csv\`) one line for each entry. More than ${linesMax} entries are refused: ask for fewer days or one meter.`,
      access: usageAccess,
      query: UsageQuery,
      answers: {
        200: { json: UsageAnswer, rawTypes: [csvMediaType], description: 'The uses, as JSON or as a CSV file.' },
      },
      refusals: ['NOT_FOUND', 'INSUFFICIENT_ROLE'],
      rules: ({ query }) => [...periodRules(query, clock), () => requireOrgId(query)],
      handle: async ({ scope, user, query, headers }) => {
        const { from, to } = readPeriod(query, clock)
        const { meter, groupBy = 'day' } = query
        const subject = await readableSubject(scope, { user, members: organizations() }, query)
        const meters = meter === undefined ? usedMeters : [meter]
        const lines = await readUsage(scope, { subject, from, to, meters, groupBy, linesMax })
        if (lines.length > linesMax)
          throw invalidField('/query/groupBy', {
            code: 'range',
            message: `gives more than ${linesMax} entries. Ask for fewer days or one meter`,
          })
        if (wantsCsv(query.format, headers.accept)) return csvAnswer(toCsv(groupBy, lines), `usage-${from}-${to}`)
        const usage = lines.map((line) => lineView(groupBy, line))
        return { ...ok({ from, to, usage, totals: totalsOf(lines) }), headers: { vary: 'Accept' } }
      },
    }),
  ]
}

function lineView(groupBy: GroupName, { group, meter, amount }: UsageLine) {
  return groupBy === 'meter' ? { meter, amount } : { [groupBy]: group, meter, amount }
}

function toCsv(groupBy: GroupName, lines: UsageLine[]): string {
  const isByMeter = groupBy === 'meter'
  const names = isByMeter ? ['meter', 'amount'] : [groupBy, 'meter', 'amount']
  const rows = lines.map(({ group, meter, amount }) => csvLine([...(isByMeter ? [] : [group]), meter, String(amount)]))
  return `${csvLine(names)}${rows.join('')}`
}
