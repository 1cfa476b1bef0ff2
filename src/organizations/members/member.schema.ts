import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { orgRoles } from '../role.rules.ts'
import type { Member } from './member.store.ts'

const Role = StringEnum(orgRoles, {
  description:
    '`viewer` reads what is open to all members. `member` also adds and changes. `admin` also invites and manages members and viewers. `owner` may do everything.',
})

const Notifications = StrictObject({
  tasksDue: Type.Boolean({
    description: 'Whether you get a mail in the morning about tasks that are due.',
    examples: [true],
  }),
})

const MemberAnswer = Type.Object(
  {
    userId: Id,
    name: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
    email: Type.String({ examples: ['ada@example.com'] }),
    role: Role,
    joinedAt: Timestamp,
    notifications: Notifications,
  },
  { title: 'OrganizationMember', additionalProperties: false },
)

export const MemberDetail = StrictObject({ member: MemberAnswer })
export const MemberList = StrictObject({ members: Type.Array(MemberAnswer), pagination: PaginationSchema })
export const MemberQuery = StrictObject({ ...PageQuery })

export const RemovalQuery = StrictObject({
  meetingsTo: Type.Optional({
    ...Id,
    description:
      'The member who gets the meetings that the removed one has opened to the whole organization. Without it they become private.',
  }),
})

export const NewMember = StrictObject({ userId: Id, role: Role })
export const RoleChange = StrictObject({ role: Role })
export const OwnChange = StrictObject({ notifications: Notifications })
export const Transfer = StrictObject({ userId: Id })

export function memberView({ notifyTasksDue, joinedAt, ...member }: Member): Static<typeof MemberAnswer> {
  return { ...member, joinedAt: joinedAt.toISOString(), notifications: { tasksDue: notifyTasksDue } }
}
