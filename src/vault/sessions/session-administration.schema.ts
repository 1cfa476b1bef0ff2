import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { sessionStatuses } from './session.rules.ts'
import { SessionAnswer } from './session.schema.ts'
import { sessionView } from './session.view.ts'
import type { NamedSession } from './session-administration.store.ts'

const NamedSessionAnswer = Type.Object(
  {
    ...SessionAnswer.properties,
    tenantName: Type.String({ examples: ['Northwind'] }),
    userEmail: Nullable(Type.String({ examples: ['ada@northwind.example'] }), 'Null: the user was deleted.'),
    deviceName: Type.String({ examples: ['Ada’s laptop'] }),
    serverName: Type.String({ examples: ['fra-1'] }),
  },
  { title: 'NamedVpnSession', additionalProperties: false },
)

export const AllSessionsQuery = StrictObject({
  ...PageQuery,
  tenantId: Type.Optional(Id),
  userId: Type.Optional(Id),
  deviceId: Type.Optional(Id),
  serverId: Type.Optional(Id),
  status: Type.Optional(StringEnum(['PENDING', 'ACTIVE'])),
})

export const TenantSessionQuery = StrictObject({
  ...PageQuery,
  userId: Type.Optional(Id),
  deviceId: Type.Optional(Id),
  status: Type.Optional(
    StringEnum(sessionStatuses, {
      description: 'Absent: those that are open. For `ENDED` also name the user or the device.',
    }),
  ),
})

export const NamedSessionDetail = StrictObject({ session: NamedSessionAnswer })
export const NamedSessionList = StrictObject({ sessions: Type.Array(NamedSessionAnswer), pagination: PaginationSchema })

export function namedSessionView(session: NamedSession): Static<typeof NamedSessionAnswer> {
  const { tenantName, userEmail, deviceName, serverName } = session
  return { ...sessionView(session), tenantName, userEmail, deviceName, serverName }
}
