import type { Static, TProperties, TSchema } from 'typebox'
import { Id, Nullable, SingleLine, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { audiences, checkedStatuses, inboundKinds, replyModes, securities, transportKinds } from './config.rules.ts'
import { localPartMax, localPartPattern } from './local-part.rules.ts'
import { mailboxCauses } from './mailbox-health.rules.ts'

export const OwnerQuery = StrictObject({
  orgId: Type.Optional({
    ...Id,
    description: 'The organization, for its admins and owners. Absent: the tenant itself, for its administrators.',
  }),
})

const Address = Type.String({ minLength: 3, maxLength: 254, examples: ['assistant@example.com'] })
const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9:.-]+$',
  description: 'A name or IP address. It has to be public.',
  examples: ['mail.example.com'],
})
const Port = Type.Integer({ minimum: 1, maximum: 65_535, examples: [587] })
const UserName = SingleLine({ lettersMax: 254, example: 'assistant@example.com' })
const Domain = Type.String({
  minLength: 3,
  maxLength: 253,
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251})[A-Za-z0-9]$',
  examples: ['example.com'],
})
const Security = StringEnum(securities, {
  description:
    '`tls` from the first byte, `starttls`, or `none`, which never carries a password over a public network.',
})
const domains = (description: string) => Type.Array(Domain, { maxItems: 100, description, examples: [['example.com']] })
const cap = (example: number, maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, description, examples: [example] })

const identity = {
  fromName: SingleLine({ lettersMax: 100, example: 'Research', description: 'The name of the sender.' }),
  fromAddress: {
    ...Address,
    description: 'The sender. Mails wait until `verify` has shown that its domain is yours.',
  },
  signature: Type.String({ maxLength: 2000, description: 'Plain text below every mail.', examples: ['Research team'] }),
}
const server = { host: Host, port: Port, security: Security, userName: UserName }
const transport = {
  kind: StringEnum(transportKinds, {
    description:
      '`platform`: the mail server of the installation. `integration`: the account of the organization at Google or Microsoft. `none`: nothing is sent.',
  }),
  ...server,
}
const LocalPart = Type.String({
  minLength: 1,
  maxLength: localPartMax,
  pattern: localPartPattern,
  description: 'The name before the @ at the domain of the installation. Unique in the installation.',
  examples: ['research'],
})
const inbound = {
  kind: StringEnum(inboundKinds, {
    description:
      '`platform`: mail to `localPart` is received. `webhook`: also all mail of one connection. `imap`: also the mailbox at `host`, or without `host` that of the organization’s integration. `none`: nothing is received.',
  }),
  connectionId: { ...Id, description: 'The id of an inbound webhook.' },
  ...server,
  folder: SingleLine({ lettersMax: 200, example: 'Archive', description: 'Received mails are moved to it.' }),
}
const replies = {
  mode: StringEnum(replyModes, { description: '`draft`: a person approves each answer.' }),
  audience: StringEnum(audiences, { description: 'Whose mails are answered.' }),
  domains: domains('With the audience `domains`: senders of these.'),
  approvers: Type.Array(Id, {
    maxItems: 50,
    description: 'Users who approve drafts. Empty: the admins and owners.',
  }),
  perSenderHour: cap(5, 100, 'The most automatic mails to one address in an hour.'),
  perThreadDay: cap(3, 20, 'The most automatic mails in one thread in a day.'),
  perDay: cap(200, 10_000, 'The most automatic mails in a day.'),
  trustedForwarders: domains('Domains whose ARC seals are trusted.'),
}
const commands = {
  invites: Type.Boolean({ description: 'Calendar invitations create meetings.', examples: [false] }),
  transcripts: Type.Boolean({ description: 'Transcript files create meetings.', examples: [false] }),
  documents: Type.Boolean({ description: 'Mail to `+docs` adds its attachments to the documents.', examples: [false] }),
}
const Password = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  writeOnly: true,
  description:
    'Never shown again. If the server or the user changes and no password is sent, the stored one is deleted.',
  examples: ['mSe7-pass-of-the-mailbox'],
})

const optional = <P extends TProperties>(fields: P) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [N in keyof P]: ReturnType<typeof Type.Optional<P[N]>>
  }
const nullable = <P extends TProperties>(fields: P) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Nullable(schema)])) as unknown as {
    [N in keyof P]: ReturnType<typeof Nullable<P[N]>>
  }
const section = <P extends TProperties>(fields: P) =>
  Type.Optional(Nullable(StrictObject(optional(nullable(fields))) as TSchema as ReturnType<typeof changeOf<P>>))
const changeOf = <P extends TProperties>(fields: P) => StrictObject(optional(nullable(fields)))

export const ConfigChange = StrictObject({
  identity: section(identity),
  transport: section({ ...transport, password: Password }),
  inbound: section({ ...inbound, localPart: LocalPart, password: Password }),
  replies: section(replies),
  commands: section(commands),
})
export type ConfigChange = Static<typeof ConfigChange>

const HasPassword = Type.Boolean({ description: 'Whether a password is stored.', examples: [true] })
const Checked = StringEnum(checkedStatuses, {
  description: '`unverified`: never checked since it was changed. `failing`: what was verified no longer holds.',
})
const MailboxStatus = StrictObject({
  cause: Nullable(StringEnum(mailboxCauses), 'Why it could not be read. Null: it could.'),
  detail: Nullable(Type.String({ examples: ['Authentication failed.'] }), 'What its server said.'),
  readAt: Nullable(Timestamp, 'When it was last read to its end.'),
  nextReadAt: { ...Timestamp, description: 'When it is read again at the latest, or tried again.' },
})
const { kind: transportKind, ...transportFields } = transport
const { kind: inboundKind, ...inboundFields } = inbound

const ConfigAnswer = Type.Object(
  {
    orgId: Nullable(Id, 'Null: the tenant’s.'),
    address: Nullable(
      Address,
      'Mail to it is received here. Null without a domain of the installation or a name at it, and with `inbound.kind` `none`.',
    ),
    identity: StrictObject(nullable(identity)),
    transport: StrictObject({ kind: transportKind, ...nullable(transportFields), hasPassword: HasPassword }),
    inbound: StrictObject({
      kind: inboundKind,
      localPart: Nullable(LocalPart),
      ...nullable(inboundFields),
      hasPassword: HasPassword,
    }),
    replies: StrictObject(replies),
    commands: StrictObject(commands),
    own: Type.Array(Type.String({ examples: ['replies.mode'] }), {
      description: 'The fields that are set here. All others are the tenant’s or the defaults.',
    }),
    status: StrictObject({
      sending: Checked,
      receiving: Checked,
      mailbox: Nullable(MailboxStatus, 'Null: no mailbox is read by IMAP.'),
    }),
    revision: Type.Integer({ description: 'Grows with every change. 0: nothing was ever set.', examples: [1] }),
    updatedAt: Nullable(Timestamp),
  },
  { title: 'EmailConfig', additionalProperties: false },
)
export type ConfigAnswer = Static<typeof ConfigAnswer>

export const ConfigDetail = StrictObject({ config: ConfigAnswer })
