import { sql } from '../../src/storage/query.ts'
import { type UsageCounts, type UsageCountsDeps, usageCounts } from '../../src/usage/tenant-usage/usage-counts.ts'
import type { TestApp } from './app.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The counts of a node of its own, without plans. */
export function testCounts({ platform, clock }: TestApp, overrides: Partial<UsageCountsDeps> = {}): UsageCounts {
  return usageCounts({
    platform,
    clock,
    log: silent,
    planOf: () => sql<string | null>`null::text`,
    tellReached: async () => undefined,
    ...overrides,
  })
}
