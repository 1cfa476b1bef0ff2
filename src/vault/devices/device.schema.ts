import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  visiblePattern,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { deviceStatuses, peerStates } from './device.rules.ts'

const publicKeyExample = 'hzRtB2rTbtWP0jYjJ3mX0hQ7F1f1uT3n9x2sV5bq5kM='

/** One line without control characters, line ends, or marks that change the direction of text. */
const shown = visiblePattern('\\p{Cc}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069')

const DeviceName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: shown,
  description: 'One line. Spaces at both ends are removed.',
  examples: ['Ada’s laptop'],
})
const DeviceType = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: shown,
  description: 'A platform label, stored as sent. Known labels: IOS, ANDROID, WINDOWS, MACOS, LINUX, ROUTER.',
  examples: ['LINUX'],
})
const PublicKey = Type.String({
  maxLength: 64,
  description: 'WireGuard public key in base64.',
  examples: [publicKeyExample],
})
const Region = Type.String({ maxLength: 32, examples: ['eu-central'] })

export const NewDevice = Type.Object(
  {
    deviceName: DeviceName,
    deviceType: DeviceType,
    publicKey: Type.Optional(
      Nullable(
        PublicKey,
        'The public key of your own key pair; the service then never has the private key. Absent or null: the service makes a pair. Each device needs its own.',
      ),
    ),
    region: Type.Optional(Nullable(Region, 'Absent or null: the server with the most free capacity.')),
  },
  { additionalProperties: false, examples: [{ deviceName: 'Ada’s laptop', deviceType: 'LINUX' }] },
)
export type NewDevice = Static<typeof NewDevice>

export const DeviceChange = StrictObject({ deviceName: Type.Optional(DeviceName) })
export type DeviceChange = Static<typeof DeviceChange>

export const NewKeys = Type.Object(
  {
    publicKey: Type.Optional(
      Nullable(PublicKey, 'The public key of your own new key pair. Absent or null: the service makes a pair.'),
    ),
  },
  { additionalProperties: false, examples: [{}] },
)
export type NewKeys = Static<typeof NewKeys>

export const Move = Type.Object(
  { region: Type.Optional(Nullable(Region, 'Absent or null: the server with the most free capacity.')) },
  { additionalProperties: false, examples: [{ region: 'eu-central' }] },
)
export type Move = Static<typeof Move>

export const DeviceQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(StringEnum(deviceStatuses, { description: 'Absent: all except REVOKED.' })),
})

export const TenantDeviceQuery = StrictObject({ ...DeviceQuery.properties, userId: Type.Optional(Id) })

export const ConfigQuery = StrictObject({
  format: Type.Optional(
    StringEnum(['conf', 'qr', 'svg', 'png'], {
      description: '`qr` and `svg`: the QR code as SVG; `png`: as PNG. Absent: what `Accept` prefers, else the file.',
    }),
  ),
})
export type ConfigQuery = Static<typeof ConfigQuery>

const Bytes = Type.Integer({ examples: [73_400_320] })

export const DeviceAnswer = Type.Object(
  {
    id: Id,
    tenantId: Id,
    userId: Id,
    deviceName: DeviceName,
    deviceType: DeviceType,
    publicKey: PublicKey,
    assignedIp: Type.String({ description: 'IPv4 address in the VPN.', examples: ['10.64.0.2'] }),
    assignedIpv6: Type.String({ description: 'IPv6 address in the VPN.', examples: ['fd42:a7c1:1::2'] }),
    status: StringEnum(deviceStatuses, { description: 'SUSPENDED while the user or the tenant is. REVOKED is final.' }),
    peerState: StringEnum(peerStates, {
      description:
        'Whether the server lets the device in: PENDING and REMOVING until its node has acknowledged the change. On a server ' +
        'without a node nobody acknowledges: APPLIED while a session is open, else NONE.',
    }),
    server: StrictObject({
      id: Id,
      region: Region,
      endpoint: Type.String({ examples: ['fra-1.vpn.example.com:51820'] }),
    }),
    configVersion: Type.Integer({ description: 'Raised when the config file changes: fetch it again.', examples: [1] }),
    lastHandshakeAt: Nullable(Timestamp),
    rxBytes: Type.Integer({ ...Bytes, description: 'Received by the server from the device.' }),
    txBytes: Type.Integer({ ...Bytes, description: 'Sent by the server to the device.' }),
    createdAt: Timestamp,
    revokedAt: Nullable(Timestamp),
    confirmedAt: Nullable(Timestamp, 'Revoked: when the node of the server had let go of the device.'),
  },
  { title: 'Device', additionalProperties: false },
)
export type DeviceAnswer = Static<typeof DeviceAnswer>

export const DeviceDetail = StrictObject({ device: DeviceAnswer })
export const DeviceRevoked = StrictObject({
  device: DeviceAnswer,
  confirmedAt: Nullable(
    Timestamp,
    'When the node of the server had let go of the device. Null: it has not said so yet; then the `confirmedAt` of the device says it.',
  ),
})
export const DeviceList = StrictObject({ devices: Type.Array(DeviceAnswer), pagination: PaginationSchema })

export const DeviceWithConfig = StrictObject({
  device: DeviceAnswer,
  config: Type.String({
    description:
      'The text of the WireGuard configuration file. With a public key of your own it holds a placeholder for the private key.',
    examples: [
      '# laptop @ eu-central  config v1\n[Interface]\nPrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\nAddress = 10.64.0.2/32, fd42:a7c1:1::2/128\nDNS = 1.1.1.1\nMTU = 1420\n\n' +
        `[Peer]\nPublicKey = ${publicKeyExample}\nPresharedKey = 6Zy0mB3u1kQ9cX4vT8nR2sD7wE5hJ0aLpF3gK6iY1oU=\nAllowedIPs = 0.0.0.0/0, ::/0\nEndpoint = fra-1.vpn.example.com:51820\nPersistentKeepalive = 25\n`,
    ],
  }),
  assignedIp: Type.String({ examples: ['10.64.0.2'] }),
})
