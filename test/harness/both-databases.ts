import { readFileSync } from 'node:fs'

/**
 * What a whole run tests on both databases: storage, jobs and backups, and what counts and may race. Everything else that asks a
 * database runs on PostgreSQL alone: PGlite is PostgreSQL, asked by the same driver, and takes twice the time. `test/last.test.ts`
 * lets PGlite read each statement that PostgreSQL was asked. `npm test -- pglite` runs all tests on PGlite. Decision 30.
 */
export const onBothDatabases: readonly string[] = [
  'src/backup/',
  'src/console/browser-sessions/browser-session.routes.test.ts',
  'src/http/idempotency.test.ts',
  'src/jobs/',
  'src/licensing/uses/use.service.test.ts',
  'src/organizations/invitations/invitation.test.ts',
  'src/organizations/members/member.test.ts',
  'src/storage/',
  'src/tasks/board/move.test.ts',
  'src/usage/meters/metering-once.test.ts',
  'src/usage/plans/plan-limit.test.ts',
  'src/usage/quotas/stock-threshold.test.ts',
  'src/vault/devices/device.routes.test.ts',
  'src/vault/servers/placement.test.ts',
]

/** Journeys that show the same on either database, and start many processes. */
export const onOneDatabase: Readonly<Record<string, 'pglite' | 'postgres'>> = {
  'test/journeys/clock.test.ts': 'postgres',
  'test/journeys/inbound.test.ts': 'postgres',
  'test/journeys/lost-password.test.ts': 'pglite',
  'test/journeys/order-of-use.test.ts': 'pglite',
  'test/journeys/outbound.test.ts': 'postgres',
  'test/journeys/visits.test.ts': 'postgres',
}

/** Whether a whole run tests a file on that database. One that asks which database is meant has tests for each. */
export function isTestedOn(database: string, file: string): boolean {
  const only = onOneDatabase[file]
  if (only !== undefined) return database === only
  if (database === 'postgres' || onBothDatabases.some((place) => file.startsWith(place))) return true
  return readFileSync(file, 'utf8').includes('ATRIUM_TEST_DATABASE')
}
