import { generateNKeysBetween } from 'fractional-indexing'
import type { Limits } from '../../kernel/quota.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { inTenant, type TenantScope } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Task } from '../tasks/task.rules.ts'
import { lastPosition } from '../tasks/task.store.ts'
import { takeNumbers } from '../tasks/task-counts.store.ts'
import { type RecordDeps, searchTerms } from '../tasks/task-record.ts'
import { releaseTasks } from '../tasks/task-release.ts'
import { listBoards, lockTasksOfConnection, putOnBoard, takeOffBoard } from './placement.store.ts'

export type PlacementDeps = Pick<RecordDeps, 'clock' | 'events'> & { members: OrganizationMembers; quotas: Quotas }

/** Puts issues at the ends of their columns. The organization must be locked. Refuses QUOTA_EXCEEDED. */
export async function placeOnBoard(
  tx: TenantScope,
  { orgId, tasks, limits }: { orgId: string; tasks: Task[]; limits: Pick<Limits, 'maxTasks'> },
  events: PlacementDeps['events'],
): Promise<void> {
  if (tasks.length === 0) return
  const firstNumber = (await takeNumbers(tx, { orgId, count: tasks.length }, limits)) - tasks.length + 1
  const numbers = new Map(tasks.map(({ id }, index) => [id, firstNumber + index]))
  for (const [status, column] of Map.groupBy(tasks, (task) => task.status)) {
    const positions = generateNKeysBetween(await lastPosition(tx, { orgId, status }), null, column.length)
    const placements = column.map((task, index) => ({
      id: task.id,
      number: numbers.get(task.id) as number,
      position: positions[index] as string,
      search: searchTerms({ ...task, orgId }),
    }))
    await putOnBoard(tx, orgId, placements)
  }
  await events.emit(tx, 'org.tasks.created', { tenantId: tx.tenantId, orgId, taskIds: tasks.map(({ id }) => id) })
}

/** When a connection gets another organization, its issues move to that board. */
export function moveWithConnections({ clock, events, members, quotas }: PlacementDeps): void {
  events.on('webhook.connection.moved', async (scope, { tenantId, connectionId, orgId }) => {
    const tx = inTenant(scope, tenantId)
    const limits = await quotas.lockLimits(tx, null)
    const boards = new Set(await listBoards(tx, connectionId))
    if (orgId !== null) boards.add(orgId)
    // In one order, so that nobody who locks the same ones waits for us while we wait for them.
    for (const board of [...boards].sort()) await members.lockAny(tx, board)
    const tasks = await lockTasksOfConnection(tx, connectionId)
    const taken = tasks.filter((task) => task.orgId !== null)
    await takeOffBoard(
      tx,
      taken.map(({ id }) => id),
      clock.now(),
    )
    // With the stored answers, which hold what the former organization wrote to the tasks.
    await releaseTasks(tx, taken, events)
    const blank = tasks.map((task) => ({ ...task, description: '', labels: [] }))
    if (orgId !== null) await placeOnBoard(tx, { orgId, tasks: blank, limits }, events)
  })
}
