import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope } from '../../storage/scope.ts'
import type { Bots } from './bot.service.ts'
import { listLiveBots } from './bot.store.ts'

type Cause = { detail: string }

export const tenantEndJob: JobKind<Cause> = {
  name: 'bots.tenant.leave',
  attemptsMax: 10,
  backoffSeconds: 15,
  timeoutSeconds: 120,
  order: 'key',
}

type Deps = { events: EventBus; jobs: Jobs; bots: Pick<Bots, 'end'> }

/** Takes the bots of a tenant out that is suspended or deleted. In a job, as there may be a thousand. */
export function tenantEnds({ events, jobs, bots }: Deps) {
  const plan =
    (detail: string) =>
    async (scope: Scope, { tenantId }: { tenantId: string }) => {
      await jobs.enqueue(inTenant(scope, tenantId), tenantEndJob, { data: { detail }, tenantId, key: tenantId })
    }
  events.on('tenant.suspended', plan('The tenant was suspended.'))
  events.on('tenant.removed', plan('The tenant was deleted.'))

  return async (scope: Scope, { detail }: Cause): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A bot belongs to a tenant.')
    for (const { id } of await listLiveBots(scope)) await bots.end(scope, id, { reason: 'KILLED', detail })
  }
}
