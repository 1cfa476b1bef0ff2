import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { requireRevision } from '../../http/cache/precondition.ts'
import { isId } from '../../kernel/ids.ts'
import { invalidField } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { requireChange, type Target, type TaskOfDay, type Tasks } from '../tasks/task.service.ts'
import { findTask, lastPosition } from '../tasks/task.store.ts'
import type { TaskRecords } from '../tasks/task-record.ts'
import type { Move } from './move.schema.ts'
import { type Column, listAround, neighbourPosition, savePositions } from './position.store.ts'

export type MoveDeps = { tasks: Tasks; records: TaskRecords; members: OrganizationMembers }

/** Keys of random moves stay below ten letters. Longer ones come from moves to one and the same place. */
export const positionLettersMax = 30
/** How many tasks on each side get new positions at first. */
const spanMin = 50

export type Moves = ReturnType<typeof moveService>

export function moveService({ tasks, records, members }: MoveDeps) {
  /**
   * The lock of the organization puts movers in a queue: each finds the order that the one before has left. Refuses
   * NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED, STATE_CONFLICT and VALIDATION_ERROR.
   */
  const move = (scope: TenantScope, { user, orgId, id, ifMatch }: Target, body: Move): Promise<TaskOfDay> =>
    transaction(scope, async (tx) => {
      requireOnePlace(body)
      const organization = await members.lock(tx, user, { orgId, least: 'member' })
      const task = await tasks.lock(tx, { user, orgId, id })
      requireRevision(ifMatch, task)
      const status = body.status ?? task.status
      requireChange(task, { status })
      const today = tasks.todayIn(organization)
      const column = { orgId, status }
      const gap = await gapFor(tx, column, { ...body, task, user })
      if (status === task.status && isInside(task.position, gap)) return { task, today }
      const position = await positionIn(tx, column, gap, { ...body, task, user })
      const after = await records.change(tx, task, { status, position }, { origin: 'user', actorId: user.id })
      return { task: { ...after, evidence: task.evidence }, today }
    })

  type Wanted = Pick<Move, 'before' | 'after'> & { task: { id: string }; user: Target['user'] }
  /** The positions between which the task goes. */
  type Gap = { lower: string | null; upper: string | null }

  /** Refuses VALIDATION_ERROR where the neighbour is not in the column. */
  async function gapFor(tx: TenantScope, column: Column, { before, after, task, user }: Wanted): Promise<Gap> {
    const side = before === undefined ? 'after' : 'before'
    const neighbourId = before ?? after
    if (neighbourId === undefined) return { lower: await lastPosition(tx, column, task.id), upper: null }
    const neighbour = isId(neighbourId)
      ? await findTask(tx, { orgId: column.orgId, id: neighbourId }, tasks.readerOf(user))
      : null
    if (neighbour?.status !== column.status || neighbour.position === null || neighbour.id === task.id)
      throw invalidField(`/body/${side}`, { code: 'unknown', message: 'must be another task of the same column' })
    const beyond = await neighbourPosition(tx, column, { side, of: neighbour.position, except: task.id })
    return side === 'before'
      ? { lower: beyond, upper: neighbour.position }
      : { lower: neighbour.position, upper: beyond }
  }

  async function positionIn(tx: TenantScope, column: Column, { lower, upper }: Gap, wanted: Wanted): Promise<string> {
    const position = generateKeyBetween(lower, upper)
    if (position.length <= positionLettersMax) return position
    await spreadPositions(tx, column, position)
    const wider = await gapFor(tx, column, wanted)
    return generateKeyBetween(wider.lower, wider.upper)
  }

  return { move }
}

/** Refuses VALIDATION_ERROR for two neighbours: between them there may be others by now. */
export function requireOnePlace({ before, after }: { before?: unknown; after?: unknown }): void {
  if (before !== undefined && after !== undefined)
    throw invalidField('/body/after', { code: 'unknown', message: 'cannot be combined with `before`' })
}

function isInside(position: string | null, { lower, upper }: { lower: string | null; upper: string | null }): boolean {
  return position !== null && (lower === null || lower < position) && (upper === null || position < upper)
}

/** Gives the tasks around a place short positions again, of as few tasks as make them short. Their order stays. */
async function spreadPositions(tx: TenantScope, column: Column, position: string): Promise<void> {
  for (let span = spanMin; ; span *= 8) {
    const { below, above } = await listAround(tx, column, { position, span })
    // The outermost ones stay, unless they are the ends of the column.
    const lower = below.length === span ? below.shift() : undefined
    const upper = above.length === span ? above.pop() : undefined
    const inner = [...below, ...above]
    const keys = generateNKeysBetween(lower?.position ?? null, upper?.position ?? null, inner.length)
    const isWhole = lower === undefined && upper === undefined
    if (!isWhole && keys.some((key) => key.length > positionLettersMax / 2)) continue
    await savePositions(
      tx,
      inner.map(({ id }, index) => ({ id, position: keys[index] as string })),
    )
    return
  }
}
