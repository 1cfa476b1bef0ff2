import { run, sql } from '../../src/storage/query.ts'
import type { Subject, UsageScope } from '../../src/usage/meters/counter.store.ts'
import type { ExactMeter } from '../../src/usage/meters/meter.rules.ts'
import { findDifferences } from '../../src/usage/recounts/recount.store.ts'
import type { TestApp } from './app.ts'
import { overrideLimit } from './usage-limits.ts'

const nobody = '00000000-0000-0000-0000-000000000000'
const limitedUsers = 5
const freeUsers = 5

/**
 * Callers of a meter with limits of their tenant (50), of one of its organizations (6) and of each user (4), all times `scale`. Each
 * takes one. The first wave reaches the limits of the organization and of the users, and leaves some of the tenant's;
 * the second wave takes the rest, and more. So each level refuses some, and `expected` is what is used in the end.
 */
export async function callersAtAllLevels(
  app: TestApp,
  tenantId: string,
  { meters, scale }: { meters: ExactMeter[]; scale: number },
) {
  const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID() as string)
  const [small = '', large = ''] = ids(2)
  const [limited, free] = [ids(limitedUsers), ids(freeUsers)]
  const limits: [scope: string, id: string, max: number][] = [
    ['org', small, 6 * scale],
    ['org', large, 1_000_000],
    ['eachUser', nobody, 4 * scale],
    ...free.map((id): [string, string, number] => ['user', id, 1_000_000]),
  ]
  // Else it would be a tenth of the month's.
  await overrideLimit(app, tenantId, 'modelTokensPerDay', { hard: null })
  for (const meter of meters) {
    await overrideLimit(app, tenantId, meter, { hard: 50 * scale })
    for (const [scope, id, max] of limits)
      await run(
        app.platform,
        sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
          values (${tenantId}, ${scope}, ${id}, ${meter}, ${max}, ${app.clock.now()})`,
      )
  }
  const users = [...limited, ...free]
  const of = (orgId: string | null, among: string[], count: number): Subject[] =>
    Array.from({ length: count }, (_, n) => ({ orgId, userId: among[n % among.length] as string }))
  const waves = [
    interleaved(of(small, free, 50 * scale), of(null, limited, 50 * scale), of(large, free, 10 * scale)),
    interleaved(of(large, free, 60 * scale), of(small, users, 15 * scale), of(null, limited, 15 * scale)),
  ]
  const expected: Record<string, number> = {
    [`tenant ${tenantId}`]: 50 * scale,
    [`org ${small}`]: 6 * scale,
    ...Object.fromEntries(limited.map((id) => [`user ${id}`, 4 * scale])),
  }
  return { waves, expected }
}

/** What is not used as it should be, in words: at the limits that are reached, and of counters that differ from their uses. */
export async function wrongCounts(
  app: TestApp,
  tenantId: string,
  { meter, expected }: { meter: ExactMeter; expected: Record<string, number> },
): Promise<string[]> {
  const scope = app.scopeOf(tenantId)
  const { rows } = await scope.handle.execute(
    sql<{ scope: UsageScope; id: string; amount: number }>`select scope, subject_id as id, amount from usage_counters
      where tenant_id = ${tenantId} and meter = ${meter} and span = 'month'`,
  )
  const used = new Map(rows.map(({ scope, id, amount }) => [`${scope} ${id}`, amount]))
  const wrong = Object.entries(expected).filter(([subject, amount]) => used.get(subject) !== amount)
  const differences = await findDifferences(scope, '2000-01-01')
  return [
    ...wrong.map(([subject, amount]) => `${subject}: ${used.get(subject)} instead of ${amount}`),
    ...differences.map(({ scope, span, counted, expected: sum }) => `${scope} by ${span}: ${counted}, uses ${sum}`),
  ]
}

/** Spreads the shorter lists over the longest. */
function interleaved<T>(...lists: T[][]): T[] {
  const placed = lists.flatMap((list) => list.map((item, n) => ({ item, at: (n + 1) / (list.length + 1) })))
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}
