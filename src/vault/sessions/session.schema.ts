import type { Static } from 'typebox'
import {
  Day,
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  PeriodQuery,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { endReasons, sessionSources, sessionStatuses } from './session.rules.ts'

const idExample = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'

// Not `Id`: a malformed id gets the same answer as an unknown one.
const IdText = Type.String({ minLength: 1, maxLength: 100, examples: [idExample] })

export const Connect = Type.Object(
  {
    deviceId: IdText,
    licenseKey: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 200, examples: ['ATR-7K9QX-2M4WB-H8TRN-5VD3E-9C6ZP'] }),
        'Absent or null: the tenant’s best license for the product.',
      ),
    ),
  },
  { additionalProperties: false, examples: [{ deviceId: idExample }] },
)
export type Connect = Static<typeof Connect>

export const Disconnect = Type.Object(
  { deviceId: Type.Optional(IdText), sessionId: Type.Optional(IdText) },
  { additionalProperties: false, description: 'Exactly one of the two.', examples: [{ deviceId: idExample }] },
)
export type Disconnect = Static<typeof Disconnect>

export const SessionQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(StringEnum(sessionStatuses)),
  deviceId: Type.Optional(Id),
})

export const SessionAnswer = Type.Object(
  {
    id: Id,
    deviceId: Id,
    tenantId: Id,
    userId: Id,
    serverId: Id,
    licenseKeyHint: Type.String({
      description: 'The last group of the license key.',
      examples: ['9C6ZP'],
    }),
    status: StringEnum(sessionStatuses, {
      description: 'PENDING until the first handshake. On a server without a node, ACTIVE right after the connect.',
    }),
    source: StringEnum(sessionSources),
    connectedAt: Timestamp,
    disconnectedAt: Nullable(Timestamp),
    endReason: Nullable(
      StringEnum(endReasons, {
        description:
          'NEVER_CONNECTED: no handshake within 120 s. IDLE_TIMEOUT: no handshake for 300 s. A session that ends while it is PENDING gives its use back.',
      }),
    ),
    lastHandshakeAt: Nullable(Timestamp),
    rxBytes: Type.Integer({ description: 'Received by the server from the device.', examples: [73_400_320] }),
    txBytes: Type.Integer({ description: 'Sent by the server to the device.', examples: [524_288_000] }),
  },
  { title: 'VpnSession', additionalProperties: false },
)
export type SessionAnswer = Static<typeof SessionAnswer>

export const SessionDetail = StrictObject({ session: SessionAnswer })
export const SessionList = StrictObject({ sessions: Type.Array(SessionAnswer), pagination: PaginationSchema })

export const UsageQuery = StrictObject(PeriodQuery)

export const UsageAnswer = StrictObject({
  from: Day,
  to: Day,
  usage: Type.Array(
    Type.Object(
      {
        day: Day,
        connections: Type.Integer({ description: 'Sessions connected on the day.', examples: [3] }),
        rxBytes: Type.Integer({
          description: 'Bytes that the servers received in these sessions.',
          examples: [73_400_320],
        }),
        txBytes: Type.Integer({
          description: 'Bytes that the servers sent in these sessions.',
          examples: [524_288_000],
        }),
      },
      { title: 'VpnUsageDay', additionalProperties: false },
    ),
    { description: 'Days without a session are left out.' },
  ),
})
