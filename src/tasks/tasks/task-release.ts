import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Task } from './task.rules.ts'
import { releasePlaces, removeLabels } from './task-counts.store.ts'

/** What follows once tasks have left their boards: places and labels are free, and no stored answer repeats the tasks. */
export async function releaseTasks(
  tx: TenantScope,
  tasks: Pick<Task, 'id' | 'orgId' | 'labels'>[],
  events: EventBus,
): Promise<void> {
  for (const [orgId, released] of Map.groupBy(tasks, (task) => task.orgId)) {
    if (orgId === null) continue
    // The deletion of a meeting does not lock the organization: `create` takes the counter first, too, and then the labels.
    await releasePlaces(tx, orgId, released.length)
    await removeLabels(tx, { orgId, labels: released.flatMap(({ labels }) => labels) })
    const taskIds = released.map(({ id }) => id)
    await events.emit(tx, 'org.tasks.deleted', { tenantId: tx.tenantId, orgId, taskIds })
  }
  await eraseStoredAnswers(
    tx,
    tasks.map(({ id }) => id),
  )
}
