import { type ExactMeter, type LimitedName, limitedNames, meterOfLimit, meters } from '../meters/meter.rules.ts'

/** `eachUser`: a limit of every user who has none of their own. */
export const ownLimitScopes = ['org', 'user', 'eachUser'] as const
export type OwnLimitScope = (typeof ownLimitScopes)[number]

export type OwnLimitName = ExactMeter | 'modelTokensPerDay'

const isOwnLimitName = (name: LimitedName): name is OwnLimitName => meters[meterOfLimit(name).meter].kind === 'exact'

/** What can be limited for an organization or a user: what is counted exactly. Of the rest only the tenant's is counted. */
export const ownLimitNames = limitedNames.filter(isOwnLimitName)

/** Whose limit it is, and of what. `id`: of an organization or a user; null for `eachUser`. */
export type OwnLimitKey = { scope: OwnLimitScope; id: string | null; meter: OwnLimitName }

export type OwnLimit = OwnLimitKey & { limit: number; updatedAt: Date }
