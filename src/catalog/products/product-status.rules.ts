import { Refusal } from '../../kernel/refusal.ts'
import { type ProductStatus, productStatuses } from './product-vocabulary.rules.ts'

/** Where a product may go on its own; what is missing of the moves back needs `force`. */
const freeMoves: Record<ProductStatus, ProductStatus[]> = {
  DRAFT: ['COMING_SOON', 'BETA', 'LIVE'],
  COMING_SOON: ['BETA', 'LIVE', 'DEPRECATED'],
  BETA: ['COMING_SOON', 'LIVE', 'DEPRECATED'],
  LIVE: ['BETA', 'DEPRECATED'],
  DEPRECATED: ['BETA', 'LIVE'],
}

/** `NONE`: it is there already. `NEVER`: what nobody has seen cannot be withdrawn. */
export type Move = 'NONE' | 'FREE' | 'FORCED' | 'NEVER'

export function classifyMove(from: ProductStatus, to: ProductStatus): Move {
  if (from === to) return 'NONE'
  if (freeMoves[from].includes(to)) return 'FREE'
  return productStatuses.indexOf(to) < productStatuses.indexOf(from) ? 'FORCED' : 'NEVER'
}

/** Refuses STATE_CONFLICT, naming what is allowed, for a move that is not made or only with `force`. */
export function refuseStatusMove({
  from,
  to,
  force,
}: {
  from: ProductStatus
  to: ProductStatus
  force: boolean
}): void {
  const move = classifyMove(from, to)
  if (move === 'NONE' || move === 'FREE' || (move === 'FORCED' && force)) return
  const allowed = freeMoves[from]
  const hint = move === 'FORCED' ? ' Send "force": true to go back all the same.' : ''
  throw new Refusal('STATE_CONFLICT', {
    detail: `A product does not go from ${from} to ${to}; from there it goes to ${allowed.join(', ')}.${hint}`,
    allowed,
  })
}

/** When a product first entered each state that the public can see. */
export type Milestones = {
  announcedAt: Date | null
  betaAt: Date | null
  launchedAt: Date | null
  deprecatedAt: Date | null
}

const milestoneByStatus: Record<ProductStatus, keyof Milestones | null> = {
  DRAFT: null,
  COMING_SOON: 'announcedAt',
  BETA: 'betaAt',
  LIVE: 'launchedAt',
  DEPRECATED: 'deprecatedAt',
}

export const noMilestones: Milestones = { announcedAt: null, betaAt: null, launchedAt: null, deprecatedAt: null }

/** The first entry counts: a second one keeps the moment of the first. */
export function milestonesAfter(before: Milestones, status: ProductStatus, now: Date): Milestones {
  const { announcedAt, betaAt, launchedAt, deprecatedAt } = before
  const reached = { announcedAt, betaAt, launchedAt, deprecatedAt }
  const entered = milestoneByStatus[status]
  return entered === null ? reached : { ...reached, [entered]: before[entered] ?? now }
}
