import type { Log } from '../http/server-deps.ts'
import { type JobHandler, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import { utcDay } from '../kernel/period.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { dropEvents } from './events/event.store.ts'
import { dropSalts } from './events/salt.store.ts'
import { rebuildDay } from './summaries/recount.service.ts'

export type HousekeepingDeps = { platform: PlatformScope; clock: Clock; log: Log; retentionDays: number }

const dayMs = 24 * 3600 * 1000
const saltMs = 2 * dayMs
const tidying = { attemptsMax: 3, backoffSeconds: 60, timeoutSeconds: 300 }

export function analyticsJobs({ platform, clock, log, retentionDays }: HousekeepingDeps): JobHandler[] {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  return [
    jobHandler({ ...tidying, name: 'analytics.events.drop-old', cron: '41 * * * *' }, async ({ signal }) => {
      await dropSalts(platform, ago(saltMs))
      await dropEvents(platform, ago(retentionDays * dayMs), signal)
    }),
    // When the last visits of the day before are written on every node.
    jobHandler({ ...tidying, name: 'analytics.summaries.rebuild', cron: '10 2 * * *' }, async () => {
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
