import type { Static } from 'typebox'
import { Id, Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const publicKeyExample = 'hzRtB2rTbtWP0jYjJ3mX0hQ7F1f1uT3n9x2sV5bq5kM='
const presharedKeyExample = '6Zy0mB3u1kQ9cX4vT8nR2sD7wE5hJ0aLpF3gK6iY1oU='
/** 2^53 - 1: the last whole number that JSON carries everywhere. */
const countMax = Number.MAX_SAFE_INTEGER

const PublicKey = Type.String({
  maxLength: 64,
  description: 'WireGuard public key in base64.',
  examples: [publicKeyExample],
})
const Revision = Type.Integer({ minimum: 0, maximum: countMax, examples: [42] })
const Epoch = Type.Integer({
  minimum: 0,
  maximum: countMax,
  description:
    'Chosen by the agent when it starts: milliseconds since 1970. An epoch smaller than the greatest one seen is refused.',
  examples: [1_795_253_400_000],
})
const Bytes = Type.Integer({ minimum: 0, maximum: countMax, examples: [73_400_320] })

export const Enrollment = StrictObject({
  publicKey: PublicKey,
  agentVersion: Type.String({ minLength: 1, maxLength: 32, pattern: '^[\\x21-\\x7e]+$', examples: ['0.1.0'] }),
  endpointHost: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Where devices reach the server, if this differs from its record. Ignored for the built-in server.',
      examples: ['fra-1.vpn.example.com'],
    }),
  ),
  endpointPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, examples: [51_820] })),
})
export type Enrollment = Static<typeof Enrollment>

const NodeServer = StrictObject({
  id: Id,
  name: Type.String({ examples: ['fra-1'] }),
  region: Type.String({ examples: ['eu-central'] }),
  address4: Type.String({
    description: 'The server’s own address with its prefix length.',
    examples: ['10.64.0.1/16'],
  }),
  address6: Type.String({ examples: ['fd42:a7c1:1::1/64'] }),
  subnet4: Type.String({ examples: ['10.64.0.0/16'] }),
  subnet6: Type.String({ examples: ['fd42:a7c1:1::/64'] }),
  listenPort: Type.Integer({ examples: [51_820] }),
  mtu: Type.Integer({ examples: [1420] }),
  dns: Type.Array(Type.String({ examples: ['1.1.1.1'] })),
})

export const EnrollmentPreview = StrictObject({ server: NodeServer })

export const Enrolled = StrictObject({
  nodeToken: Type.String({
    description: 'Shown once. It replaces the token of an earlier enrollment.',
    examples: ['atrnode_6Zy0mB3u1kQ9cX4vT8nR2sD7wE5hJ01QHK2b'],
  }),
  server: NodeServer,
})

export const PeersQuery = StrictObject({
  since: Type.Integer({
    minimum: 0,
    maximum: countMax,
    description: 'The last revision that the node has applied; 0 for none.',
    examples: [41],
  }),
  epoch: Epoch,
  wait: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 25, default: 0, description: 'Seconds to wait for a change.', examples: [25] }),
  ),
})
export type PeersQuery = Static<typeof PeersQuery>

const PeerEntry = Type.Object(
  {
    publicKey: PublicKey,
    presharedKey: Type.String({ examples: [presharedKeyExample] }),
    allowedIps: Type.Array(Type.String({ examples: ['10.64.0.2/32'] })),
    notAfterSeconds: Nullable(
      Type.Integer({ examples: [86_400] }),
      'In how many seconds the node must remove the peer by itself, counted from the answer. Null: never.',
    ),
  },
  { title: 'VpnPeer', additionalProperties: false },
)

export const PeersAnswer = Type.Object(
  {
    kind: StringEnum(['delta', 'snapshot']),
    revision: Revision,
    upserts: Type.Optional(Type.Array(PeerEntry, { description: 'Delta: peers to add or replace.' })),
    removes: Type.Optional(Type.Array(PublicKey, { description: 'Delta: peers to remove, if present.' })),
    count: Type.Optional(Type.Integer({ description: 'Snapshot: the number of peers.', examples: [1] })),
    sha256: Type.Optional(
      Type.String({
        description:
          'Snapshot: SHA-256 in hex over one line for each peer, `publicKey presharedKey allowedIps`, sorted by public key; `allowedIps` joined by commas, each line ended by LF.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    ),
    peers: Type.Optional(Type.Array(PeerEntry, { description: 'Snapshot: all peers. Remove any other.' })),
  },
  {
    title: 'VpnPeers',
    additionalProperties: false,
    examples: [
      {
        kind: 'delta',
        revision: 42,
        upserts: [
          {
            publicKey: publicKeyExample,
            presharedKey: presharedKeyExample,
            allowedIps: ['10.64.0.2/32', 'fd42:a7c1:1::2/128'],
            notAfterSeconds: 86_400,
          },
        ],
        removes: [],
      },
    ],
  },
)

export const NodeStatus = StrictObject({
  epoch: Epoch,
  appliedRevision: Revision,
  rejected: Type.Array(
    StrictObject({
      publicKey: PublicKey,
      reason: Type.String({ minLength: 1, maxLength: 300, examples: ['the key is refused by wg'] }),
    }),
    { maxItems: 1000, description: 'All peers that the node currently cannot configure.' },
  ),
  servesDns: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether devices may ask for names at port 53 of the server’s IPv4 address in the tunnel.',
      examples: [true],
    }),
  ),
})
export type NodeStatus = Static<typeof NodeStatus>

export const NodeReport = StrictObject({
  epoch: Epoch,
  seq: Type.Integer({
    minimum: 0,
    maximum: countMax,
    description:
      'Increases with each report of an epoch. A report whose `seq` is not greater than the last has no effect.',
    examples: [7],
  }),
  peers: Type.Array(
    StrictObject({
      publicKey: PublicKey,
      handshakeAgeSeconds: Nullable(
        // Far past any uptime; keeps the moment it stands for a date.
        Type.Number({ minimum: 0, maximum: 1_000_000_000, examples: [12] }),
        'Since the last handshake. Null: there was none.',
      ),
      rxBytes: { ...Bytes, description: 'Received from the device, as the interface counts.' },
      txBytes: { ...Bytes, description: 'Sent to the device.' },
    }),
    { maxItems: 20_000, description: 'Those that changed since the last report that was answered.' },
  ),
})
export type NodeReport = Static<typeof NodeReport>
