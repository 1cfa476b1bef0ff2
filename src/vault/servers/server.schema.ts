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
import { healths, serverStatuses } from './server.rules.ts'

const publicKeyExample = 'hzRtB2rTbtWP0jYjJ3mX0hQ7F1f1uT3n9x2sV5bq5kM='

const Name = SingleLine({ lettersMax: 64, example: 'fra-1', description: 'Unique among servers.' })
const Region = Type.String({
  maxLength: 32,
  pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$',
  description: 'Lower case letters, digits and hyphens.',
  examples: ['eu-central'],
})
const PublicIp = Type.String({ maxLength: 45, examples: ['203.0.113.10'] })
const EndpointHost = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'A host name or an IP address.',
  examples: ['fra-1.vpn.example.com'],
})
const EndpointPort = Type.Integer({ minimum: 1, maximum: 65_535, examples: [51_820] })
const PublicKey = Type.String({
  maxLength: 64,
  description: 'WireGuard public key in base64.',
  examples: [publicKeyExample],
})
const subnet4 = { maxLength: 18, examples: ['10.64.0.0/16'] }
const subnet4Meaning = 'From /8 to /30. Must not overlap with another server.'
const subnet6 = { maxLength: 49, examples: ['fd42:a7c1:1::/64'] }
const subnet6Meaning = 'From /32 to /104. Must not overlap with another server.'
const Subnet4 = Type.String({ ...subnet4, description: subnet4Meaning })
const Subnet6 = Type.String({ ...subnet6, description: subnet6Meaning })
const AssignedSubnet4 = Type.String({
  ...subnet4,
  description: `${subnet4Meaning} Absent: the next free /16 of 10.64.0.0/10 or 10.128.0.0/9, wider if the capacity needs it.`,
})
const AssignedSubnet6 = Type.String({
  ...subnet6,
  description: `${subnet6Meaning} Absent: the next free /64 of the installation’s own unique local addresses.`,
})
const Dns = Type.Array(Type.String({ maxLength: 45, examples: ['1.1.1.1'] }), {
  maxItems: 4,
  description: 'Addresses of the DNS resolvers for the configuration files.',
})
const AutomaticDns = Nullable(
  Dns,
  'Absent or null: the server’s address in the tunnel if its agent serves DNS, else public resolvers (9.9.9.9, 149.112.112.112, 2620:fe::fe). ' +
    'Empty: the configuration files have no `DNS` line.',
)
const Mtu = Type.Integer({
  minimum: 1280,
  maximum: 1500,
  description: 'Bytes. 1280 is the least that IPv6 allows (RFC 8200 section 5).',
  examples: [1420],
})
const Capacity = Type.Integer({
  minimum: 0,
  maximum: 16_777_213,
  description: 'Number of devices; at most the addresses in `subnet4`.',
  examples: [5000],
})

export const NewServer = StrictObject({
  name: Name,
  region: Region,
  publicIp: PublicIp,
  endpointHost: Type.Optional(EndpointHost),
  endpointPort: Type.Optional(EndpointPort),
  publicKey: Type.Optional(
    Nullable(
      PublicKey,
      'Absent or null: the node makes the key when it enrolls, and the server takes no devices before.',
    ),
  ),
  subnet4: Type.Optional(AssignedSubnet4),
  subnet6: Type.Optional(AssignedSubnet6),
  dns: Type.Optional(AutomaticDns),
  mtu: Type.Optional(Mtu),
  capacity: Capacity,
})
export type NewServer = Static<typeof NewServer>

export const ServerChange = Type.Object(
  {
    name: Type.Optional(Name),
    region: Type.Optional(Region),
    publicIp: Type.Optional(PublicIp),
    endpointHost: Type.Optional(EndpointHost),
    endpointPort: Type.Optional(EndpointPort),
    publicKey: Type.Optional(PublicKey),
    subnet4: Type.Optional(Subnet4),
    subnet6: Type.Optional(Subnet6),
    dns: Type.Optional(AutomaticDns),
    mtu: Type.Optional(Mtu),
    capacity: Type.Optional(Capacity),
    status: Type.Optional(
      StringEnum(serverStatuses, {
        description: 'DRAINING: takes no new devices. DISABLED: also ends all sessions with `SERVER_DISABLED`.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ status: 'DRAINING' }] },
)
export type ServerChange = Static<typeof ServerChange>

export const ServerQuery = StrictObject({
  ...PageQuery,
  region: Type.Optional(Region),
  status: Type.Optional(StringEnum(serverStatuses)),
})

const HealthWord = StringEnum(healths, {
  description:
    'By the age of the node’s last report: STALE after 60 s, OFFLINE after 5 minutes. The built-in server without a node is ONLINE.',
})

export const ServerAnswer = Type.Object(
  {
    id: Id,
    name: Name,
    region: Region,
    publicIp: PublicIp,
    endpointHost: EndpointHost,
    endpointPort: EndpointPort,
    publicKey: Nullable(PublicKey, 'Null until the node has enrolled.'),
    subnet4: Subnet4,
    subnet6: Subnet6,
    dns: Dns,
    isDnsAutomatic: Type.Boolean({
      description: 'Whether `dns` is not set, but follows from what the agent can do.',
      examples: [true],
    }),
    mtu: Mtu,
    capacity: Capacity,
    activeCount: Type.Integer({ description: 'Devices that are not revoked.', examples: [1234] }),
    status: StringEnum(serverStatuses),
    health: HealthWord,
    lastSeenAt: Nullable(Timestamp, 'When its node last reported.'),
    agentVersion: Nullable(Type.String({ examples: ['0.1.0'] })),
    revision: Type.Integer({ description: 'Increases with each change of its peers.', examples: [42] }),
    appliedRevision: Type.Integer({ description: 'The last revision that its node has applied.', examples: [42] }),
    rejectedPeers: Type.Array(
      StrictObject({ publicKey: PublicKey, reason: Type.String({ examples: ['the key is refused by wg'] }) }),
      { description: 'Peers that its node could not configure.' },
    ),
  },
  { title: 'VpnServer', additionalProperties: false },
)
export type ServerAnswer = Static<typeof ServerAnswer>

export const ServerDetail = StrictObject({ server: ServerAnswer })
export const ServerList = StrictObject({ servers: Type.Array(ServerAnswer), pagination: PaginationSchema })

export const EnrollmentAnswer = StrictObject({
  enrollmentToken: Type.String({
    description: 'Shown once. Valid for one enrollment; a newer token replaces it.',
    examples: ['atrenroll_6Zy0mB3u1kQ9cX4vT8nR2sD7wE5hJ01QHK2b'],
  }),
  expiresAt: Timestamp,
})

export const OpenServer = Type.Object(
  {
    id: Id,
    name: Name,
    region: Region,
    status: StringEnum(serverStatuses),
    health: HealthWord,
    hasRoom: Type.Boolean({ description: 'Whether a new device would be placed here.', examples: [true] }),
  },
  { title: 'VpnServerChoice', additionalProperties: false },
)
export type OpenServer = Static<typeof OpenServer>

export const OpenServerQuery = StrictObject(PageQuery)
export const OpenServerList = StrictObject({ servers: Type.Array(OpenServer), pagination: PaginationSchema })
