import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { JobHandler, JobRun } from './jobs.ts'
import { deleteDoneJobsHourly } from './runner.ts'
import type { IntervalTask } from './schedule.ts'

type Housekeeping = { intervalTasks: IntervalTask[]; handlers: JobHandler[]; platform: PlatformScope; clock: Clock }

/**
 * Does what cron and the interval tasks do, at once and on this node: for tests, which move the clock.
 * @param begin how the names begin of what is done, such as `vault.`; empty for all.
 */
export async function runHousekeeping(
  { intervalTasks, handlers, platform, clock }: Housekeeping,
  begin: string,
): Promise<void> {
  // A failure does not keep the others from running.
  const outcomes = await Promise.allSettled([
    ...intervalTasks.filter(({ name }) => name.startsWith(begin)).map((task) => task.run()),
    ...[...handlers, deleteDoneJobsHourly]
      .filter(({ kind }) => kind.cron !== undefined && kind.name.startsWith(begin))
      .map(({ handle }) => handle(onlyRun(newId(clock.now()), platform))),
  ])
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error)
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
}

/** Of a job that was not enqueued. */
function onlyRun(id: string, scope: PlatformScope): JobRun<object> {
  return { id, data: {}, scope, attempt: 1, isLastAttempt: true, signal: new AbortController().signal }
}
