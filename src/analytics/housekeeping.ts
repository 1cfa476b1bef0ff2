import type { Log } from '../http/server-deps.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import { utcDay } from '../kernel/period.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { dropEvents } from './events/event.store.ts'
import { dropSalts } from './events/salt.store.ts'
import { rebuildDay } from './summaries/recount.service.ts'

export type HousekeepingDeps = { platform: PlatformScope; clock: Clock; log: Log; retentionDays: number }

const dayMs = 24 * 3600 * 1000
const saltMs = 2 * dayMs

export function analyticsJobs({ platform, clock, log, retentionDays }: HousekeepingDeps): JobHandler[] {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  return [
    housekeeping('analytics.events.drop-old', '41 * * * *', async ({ signal }) => {
      await dropSalts(platform, ago(saltMs))
      await dropEvents(platform, ago(retentionDays * dayMs), signal)
    }),
    // Late enough for all nodes to have written the day before.
    housekeeping('analytics.summaries.rebuild', '10 2 * * *', async () => {
      const day = utcDay(ago(dayMs))
      const differences = await rebuildDay(platform, day)
      if (differences.length > 0)
        log.warn(
          { day, lines: differences.length },
          'the summaries of a day were not a recount of its visits, and now are',
        )
    }),
  ]
}
