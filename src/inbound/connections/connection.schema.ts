import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { channels, type SchemeSettings, schemeNames } from '../scheme.ts'
import { type Connection, connectionStatuses, overlapSecondsDefault, overlapSecondsMax } from './connection.rules.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Our repositories'] })
const SchemeWord = {
  ...StringEnum(schemeNames, { description: 'How the provider signs its deliveries.' }),
  examples: ['github'],
}
const Account = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: '^[^\\p{Cc}]+$',
  examples: ['51234567'],
})
const accountDescription =
  'The account as the provider names it in its payloads (installation, team, organization, topic). Needed for deliveries to the address without a connection id. It only decides whose secrets are tried.'
const OrgId = Nullable(
  Id,
  'The organization on whose board the issues of a tracker stand. Null: only administrators of the tenant see them.',
)
const settingsExample = { login: 'atrium-bot' }
const Settings = Type.Unsafe<SchemeSettings>({
  type: 'object',
  maxProperties: 20,
  additionalProperties: {
    type: ['string', 'array'],
    maxLength: 1000,
    maxItems: 50,
    items: { type: 'string', maxLength: 1000 },
  },
  description: 'What the scheme needs to know about the provider: an application id, topics, a user name. No secrets.',
  examples: [settingsExample],
})
const Secret = Type.String({
  minLength: 8,
  maxLength: 8192,
  description:
    'Write-only. Required where the provider generates it. Where you may choose it, one is generated if you leave it out.',
  examples: ['a-long-random-text-of-yours'],
})

export const NewConnection = Type.Object(
  {
    scheme: SchemeWord,
    name: Name,
    orgId: Type.Optional(OrgId),
    account: Type.Optional(Nullable(Account, accountDescription)),
    settings: Type.Optional(Settings),
    secret: Type.Optional(Secret),
  },
  { additionalProperties: false, examples: [{ scheme: 'github', name: 'Our repositories' }] },
)
export type NewConnection = Static<typeof NewConnection>

export const ConnectionChange = StrictObject({
  name: Type.Optional(Name),
  orgId: Type.Optional(OrgId),
  account: Type.Optional(Nullable(Account, accountDescription)),
  settings: Type.Optional(Settings),
})
export type ConnectionChange = Static<typeof ConnectionChange>

export const SecretRotation = Type.Object(
  {
    secret: Type.Optional(Secret),
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: overlapSecondsMax,
        default: overlapSecondsDefault,
        description: 'How long the previous secret stays valid.',
        examples: [overlapSecondsDefault],
      }),
    ),
  },
  { additionalProperties: false, examples: [{ overlapSeconds: overlapSecondsDefault }] },
)
export type SecretRotation = Static<typeof SecretRotation>

export const ConnectionQuery = StrictObject({
  ...PageQuery,
  channel: Type.Optional(StringEnum(channels)),
  status: Type.Optional(StringEnum(connectionStatuses)),
})

const members = {
  id: Id,
  channel: StringEnum(channels),
  scheme: SchemeWord,
  provider: Type.String({ examples: ['GitHub'] }),
  name: Name,
  orgId: OrgId,
  account: Nullable(Account),
  integrationId: Nullable(Id, 'The integration for which the service made it, and with which it is removed.'),
  settings: Type.Unsafe<SchemeSettings>({ type: 'object', additionalProperties: true, examples: [settingsExample] }),
  status: StringEnum(connectionStatuses, { description: 'Deliveries to a paused connection are refused.' }),
  hasSecret: Type.Boolean({ examples: [true] }),
  previousSecretUntil: Nullable(Timestamp, 'The previous secret is valid until then.'),
  isEnvironment: Type.Boolean({
    description:
      'It comes from the setting INBOUND_SECRETS and is changed and removed there. It also receives deliveries to the address without a connection id.',
    examples: [false],
  }),
  path: Type.String({
    description: 'The path that the provider calls, below the base address of this installation.',
    examples: ['/assistant/v1/webhooks/inbound/issue-tracker/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
  }),
  lastSeenAt: Nullable(Timestamp, 'When a delivery was last verified, to the minute.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ConnectionAnswer = Type.Object(members, { title: 'InboundConnection', additionalProperties: false })
export const ConnectionDetail = StrictObject({ connection: ConnectionAnswer })
export const ConnectionWithSecret = StrictObject({
  connection: ConnectionAnswer,
  secret: Type.Optional(
    Type.String({
      description: 'Only where it was generated, and only in this answer.',
      examples: ['hG3k0vYq2cXw8TzR5nBd7sJm1pLf9aUeKiQoZxCvWtE'],
    }),
  ),
})
export const ConnectionList = StrictObject({ connections: Type.Array(ConnectionAnswer), pagination: PaginationSchema })

export function connectionView(connection: Connection, provider: string): Static<typeof ConnectionAnswer> {
  const { id, channel, scheme, name, orgId, account, integrationId, settings, status } = connection
  const { hasSecret, isEnvironment } = connection
  return {
    id,
    channel,
    scheme,
    provider,
    name,
    orgId,
    account,
    integrationId,
    settings,
    status,
    hasSecret,
    isEnvironment,
    previousSecretUntil: isoOrNull(connection.previousUntil),
    path: `/assistant/v1/webhooks/inbound/${channel}/${id}`,
    lastSeenAt: isoOrNull(connection.lastSeenAt),
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  }
}
