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
const SchemeWord = { ...StringEnum(schemeNames, { description: 'How the provider signs.' }), examples: ['github'] }
const Account = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: '^[^\\p{Cc}]+$',
  examples: ['51234567'],
})
const accountMeaning =
  'The account as the provider names it in what it sends (installation, team, organization, topic): for deliveries to the address without a connection in it. It only chooses whose secret is tried.'
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
  description: 'What the scheme has to know of the provider: an application id, topics, a user name. No secrets.',
  examples: [settingsExample],
})
const Secret = Type.String({
  minLength: 8,
  maxLength: 8192,
  description: 'Write-only. Needed where the provider makes it; where you may choose it and do not, we make one.',
  examples: ['a-long-random-text-of-yours'],
})

export const NewConnection = Type.Object(
  {
    scheme: SchemeWord,
    name: Name,
    account: Type.Optional(Nullable(Account, accountMeaning)),
    settings: Type.Optional(Settings),
    secret: Type.Optional(Secret),
  },
  { additionalProperties: false, examples: [{ scheme: 'github', name: 'Our repositories' }] },
)
export type NewConnection = Static<typeof NewConnection>

export const ConnectionChange = StrictObject({
  name: Type.Optional(Name),
  account: Type.Optional(Nullable(Account, accountMeaning)),
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
        description: 'How long the secret before this one holds beside it.',
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
  account: Nullable(Account),
  settings: Type.Unsafe<SchemeSettings>({ type: 'object', additionalProperties: true, examples: [settingsExample] }),
  status: StringEnum(connectionStatuses, { description: 'A paused one takes nothing: what arrives is refused.' }),
  hasSecret: Type.Boolean({ examples: [true] }),
  previousSecretUntil: Nullable(Timestamp, 'Until then the secret before the present one holds, too.'),
  isEnvironment: Type.Boolean({
    description:
      'Made of INBOUND_SECRETS: changed and ended there, and reached without a connection in the address, too.',
    examples: [false],
  }),
  path: Type.String({
    description: 'Where the provider delivers to, below the base address of this installation.',
    examples: ['/assistant/v1/webhooks/inbound/issue-tracker/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
  }),
  lastSeenAt: Nullable(Timestamp, 'When a delivery was verified last, to the minute.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ConnectionAnswer = Type.Object(members, { title: 'InboundConnection', additionalProperties: false })
export const ConnectionDetail = StrictObject({ connection: ConnectionAnswer })
export const ConnectionWithSecret = StrictObject({
  connection: ConnectionAnswer,
  secret: Type.Optional(
    Type.String({
      description: 'Where we made it: in this answer alone.',
      examples: ['hG3k0vYq2cXw8TzR5nBd7sJm1pLf9aUeKiQoZxCvWtE'],
    }),
  ),
})
export const ConnectionList = StrictObject({ connections: Type.Array(ConnectionAnswer), pagination: PaginationSchema })

export function connectionView(connection: Connection, provider: string): Static<typeof ConnectionAnswer> {
  const { id, channel, scheme, name, account, settings, status, hasSecret, isEnvironment } = connection
  return {
    ...{ id, channel, scheme, provider, name, account, settings, status, hasSecret, isEnvironment },
    previousSecretUntil: isoOrNull(connection.previousUntil),
    path: `/assistant/v1/webhooks/inbound/${channel}/${id}`,
    lastSeenAt: isoOrNull(connection.lastSeenAt),
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  }
}
