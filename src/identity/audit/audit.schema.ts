import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

export const AuditQuery = StrictObject({
  ...PageQuery,
  tenantId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Changes in this tenant.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
  ),
  actorId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Changes by this key or user.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
  ),
  action: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'An action, or its first part: `tenant` finds `tenant.create`.',
      examples: ['tenant.create'],
    }),
  ),
  targetId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Changes of this object.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
  ),
  outcome: Type.Optional(StringEnum(['ALLOWED', 'DENIED'])),
  requestId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Changes by this request (`X-Request-Id`).',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
  ),
  from: Type.Optional({ ...TimestampInput, description: 'At or after this time.' }),
  to: Type.Optional({ ...TimestampInput, description: 'Before this time.' }),
  format: Type.Optional(StringEnum(['json', 'csv'], { description: 'Takes precedence over `Accept`.' })),
})
export type AuditQuery = Static<typeof AuditQuery>

const AuditEntryAnswer = Type.Object(
  {
    id: Id,
    at: Timestamp,
    tenantId: Nullable(Id),
    actor: StrictObject({
      type: StringEnum(['ADMIN', 'API_KEY', 'USER', 'NODE', 'RUNNER', 'SYSTEM', 'ANONYMOUS'], {
        description:
          'SYSTEM: the service itself. ANONYMOUS: a caller without a credential, for example during registration.',
      }),
      id: Nullable(Id, 'Null for the admin key from the environment, for SYSTEM and for ANONYMOUS.'),
      label: Type.String({ description: 'A readable name of the actor.', examples: ['admin key'] }),
    }),
    action: Type.String({ examples: ['tenant.create'] }),
    target: StrictObject({
      type: Type.String({ examples: ['tenant'] }),
      id: Nullable(Type.String({ examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] })),
    }),
    outcome: StringEnum(['ALLOWED', 'DENIED']),
    changes: Nullable(
      Type.Object({}, { additionalProperties: true, examples: [{ status: { from: 'ACTIVE', to: 'SUSPENDED' } }] }),
      'What was changed, without secrets.',
    ),
    ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    requestId: Nullable(Type.String({ examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] })),
  },
  { title: 'AuditEntry' },
)
export type AuditEntryAnswer = Static<typeof AuditEntryAnswer>

export const AuditList = StrictObject({ auditLogs: Type.Array(AuditEntryAnswer), pagination: PaginationSchema })
