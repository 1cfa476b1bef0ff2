import { Refusal } from '../../kernel/refusal.ts'
import { type ProductStatus, productStatuses } from './product-vocabulary.rules.ts'

/** The moves that need no `force`. */
const freeMoves: Record<ProductStatus, ProductStatus[]> = {
  DRAFT: ['COMING_SOON', 'BETA', 'LIVE'],
  COMING_SOON: ['BETA', 'LIVE', 'DEPRECATED'],
  BETA: ['COMING_SOON', 'LIVE', 'DEPRECATED'],
  LIVE: ['BETA', 'DEPRECATED'],
  DEPRECATED: ['BETA', 'LIVE'],
}

/** `NONE`: no change. `FORCED`: a move back that needs `force`. `NEVER`: a draft cannot become DEPRECATED. */
export type Move = 'NONE' | 'FREE' | 'FORCED' | 'NEVER'

export function classifyMove(from: ProductStatus, to: ProductStatus): Move {
  if (from === to) return 'NONE'
  if (freeMoves[from].includes(to)) return 'FREE'
  return productStatuses.indexOf(to) < productStatuses.indexOf(from) ? 'FORCED' : 'NEVER'
}

/** Refuses STATE_CONFLICT, with the moves that are allowed, for a move that is impossible or needs `force`. */
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
  const hint = move === 'FORCED' ? ' Send "force": true to go back anyway.' : ''
  throw new Refusal('STATE_CONFLICT', {
    detail: `A product cannot go from ${from} to ${to}. From ${from} it can go to ${allowed.join(', ')}.${hint}`,
    allowed,
  })
}

/** When a product first entered each public status. */
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

/** Only the first entry into a status counts. */
export function milestonesAfter(before: Milestones, status: ProductStatus, now: Date): Milestones {
  const { announcedAt, betaAt, launchedAt, deprecatedAt } = before
  const reached = { announcedAt, betaAt, launchedAt, deprecatedAt }
  const entered = milestoneByStatus[status]
  return entered === null ? reached : { ...reached, [entered]: before[entered] ?? now }
}
