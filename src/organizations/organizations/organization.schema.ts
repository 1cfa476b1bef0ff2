import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { Organization } from '../membership.store.ts'
import { type OrgRole, orgRoles } from '../role.rules.ts'
import { timeZoneDefault } from './organization.rules.ts'

const Name = SingleLine({ lettersMax: 80, example: 'Research' })
const TimeZone = Type.String({
  maxLength: 64,
  // Names only: an offset such as +01:00 knows no daylight saving time.
  pattern: '^[A-Za-z]',
  description: 'An IANA time zone: where the organization’s days begin.',
  examples: ['Europe/Berlin'],
})

export const NewOrganization = StrictObject({
  name: Name,
  timeZone: Type.Optional({ ...TimeZone, default: timeZoneDefault }),
})
export type NewOrganization = Static<typeof NewOrganization>

export const OrganizationChange = StrictObject({ name: Type.Optional(Name), timeZone: Type.Optional(TimeZone) })
export type OrganizationChange = Static<typeof OrganizationChange>

const OrganizationAnswer = Type.Object(
  {
    id: Id,
    tenantId: Id,
    name: Name,
    timeZone: TimeZone,
    role: Nullable(StringEnum(orgRoles), 'Your own role. Null if you are no member.'),
    memberCount: Type.Integer({ examples: [3] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Type.Integer({ description: 'Grows with every change. The ETag contains it.', examples: [1] }),
  },
  { title: 'Organization', additionalProperties: false },
)

export const OrganizationDetail = StrictObject({ org: OrganizationAnswer })
export const OrganizationList = StrictObject({ orgs: Type.Array(OrganizationAnswer), pagination: PaginationSchema })
export const OrganizationQuery = StrictObject({
  ...PageQuery,
  scope: Type.Optional(
    StringEnum(['own', 'tenant'], {
      description: '`own`: those of which you are a member. `tenant`: all of the tenant, for its administrators.',
    }),
  ),
})

export const TenantOrganizationQuery = StrictObject({ ...PageQuery })

/** The name again, so that nobody deletes the wrong one. */
export const DeletionQuery = StrictObject({
  confirm: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'The name of the organization.',
    examples: ['Research'],
  }),
})

export function organizationView({ createdAt, updatedAt, ...organization }: Organization & { role: OrgRole | null }) {
  return { ...organization, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
