import { type JobHandler, type JobKind, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { transaction } from '../../storage/scope.ts'
import { forgetUser } from './removed-user.store.ts'

export type RemovedUserDeps = { clock: Clock; events: EventBus; jobs: Jobs }

const forgetting: JobKind<{ userId: string }> = {
  name: 'usage.user.forget',
  attemptsMax: 20,
  backoffSeconds: 30,
  timeoutSeconds: 120,
}

/** By then every node has written what it had counted of the user before. */
const delayMs = 60_000

/** Forgets users after they are removed. Later and not with the removal: it may be many rows. */
export function forgetRemovedUsers({ clock, events, jobs }: RemovedUserDeps): JobHandler {
  events.on('user.removed', async (tx, { tenantId, userId }) => {
    const runAt = new Date(clock.now().getTime() + delayMs)
    await jobs.enqueue(tx, forgetting, { data: { userId }, tenantId, runAt })
  })
  return jobHandler(forgetting, async ({ scope, data }) => {
    if (scope.kind !== 'tenant') throw new Error('A user belongs to a tenant.')
    await transaction(scope, (tx) => forgetUser(tx, data.userId))
  })
}
