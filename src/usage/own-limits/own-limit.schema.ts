import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Amount } from '../amount.schema.ts'
import { type OwnLimit, ownLimitNames, ownLimitScopes } from './own-limit.rules.ts'

const scope = StringEnum(ownLimitScopes, {
  description: '`eachUser`: every user who has no limit of their own for the meter.',
})
const subject = 'The id of an organization or user of the tenant. Not with `eachUser`.'
const meter = StringEnum(ownLimitNames, { description: 'A meter that is counted exactly, or `modelTokensPerDay`.' })
const limit = {
  ...Amount,
  description: 'For a month (`modelTokensPerDay`: for a day). The limit of the tenant applies as well.',
}

export const NewOwnLimit = StrictObject({
  scope,
  id: Type.Optional({ ...Id, description: subject }),
  meter,
  limit,
})
export type NewOwnLimit = Static<typeof NewOwnLimit>

export const OwnLimitQuery = StrictObject({ scope, id: Type.Optional({ ...Id, description: subject }), meter })
export type OwnLimitQuery = Static<typeof OwnLimitQuery>

const OwnLimitAnswer = Type.Object(
  { scope, id: Nullable(Id, 'Null for `eachUser`.'), meter, limit, updatedAt: Timestamp },
  { title: 'OwnLimit', additionalProperties: false },
)

export const OwnLimitDetail = StrictObject({ limit: OwnLimitAnswer })
export const OwnLimitListQuery = StrictObject(PageQuery)
export const OwnLimitList = StrictObject({ limits: Type.Array(OwnLimitAnswer), pagination: PaginationSchema })

export function ownLimitView({ updatedAt, ...rest }: OwnLimit): Static<typeof OwnLimitAnswer> {
  return { ...rest, updatedAt: updatedAt.toISOString() }
}
