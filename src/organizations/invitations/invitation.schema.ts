import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { orgRoles } from '../role.rules.ts'
import { invitationStatuses, statusAt } from './invitation.rules.ts'
import type { ListedInvitation, ReceivedInvitation } from './invitation.store.ts'

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['grace@example.com'] })
const Role = StringEnum(orgRoles, { description: 'The role after accepting.' })
const mailStatuses = ['PENDING', 'SENT', 'FAILED', 'DISCARDED'] as const

export const NewInvitation = StrictObject({ email: Email, role: Role })

const InvitationAnswer = Type.Object(
  {
    id: Id,
    orgId: Id,
    email: Email,
    role: Role,
    status: StringEnum(invitationStatuses),
    invitedBy: Nullable(Id, 'The user who sent it last. Null: the user was removed.'),
    createdAt: Timestamp,
    expiresAt: { ...Timestamp, description: 'Seven days after the last mail.' },
    mailStatus: Nullable(
      StringEnum(mailStatuses),
      'Whether the mail was sent. PENDING for long: the installation has no mail server. Null: the mail is no longer kept.',
    ),
  },
  { title: 'Invitation', additionalProperties: false },
)

const ReceivedInvitationAnswer = Type.Object(
  {
    id: Id,
    orgId: Id,
    orgName: Type.String({ examples: ['Research'] }),
    role: Role,
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  { title: 'ReceivedInvitation', additionalProperties: false },
)

export const InvitationDetail = StrictObject({ invitation: InvitationAnswer })
export const InvitationList = StrictObject({ invitations: Type.Array(InvitationAnswer), pagination: PaginationSchema })
export const ReceivedList = StrictObject({
  invitations: Type.Array(ReceivedInvitationAnswer),
  pagination: PaginationSchema,
})

export const InvitationQuery = StrictObject({ ...PageQuery, status: Type.Optional(StringEnum(invitationStatuses)) })
export const ReceivedQuery = StrictObject({ ...PageQuery })

/** One of both. */
export const InvitationAnswered = Type.Object(
  {
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The token from the mail.' })),
    invitationId: Type.Optional({ ...Id, description: 'Instead of the token, with a verified address.' }),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    examples: [{ invitationId: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57' }],
  },
)

export function invitationView(
  { mailId: _, createdAt, expiresAt, mailStatus, ...invitation }: ListedInvitation,
  now: Date,
): Static<typeof InvitationAnswer> {
  return {
    ...invitation,
    status: statusAt({ ...invitation, expiresAt }, now),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    mailStatus: mailStatus as (typeof mailStatuses)[number] | null,
  }
}

export function receivedView({ id, orgId, orgName, role, createdAt, expiresAt }: ReceivedInvitation) {
  return { id, orgId, orgName, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
