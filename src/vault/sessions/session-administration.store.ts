import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Session, SessionStatus } from './session.rules.ts'
import { sessionColumns } from './session.store.ts'

/** A session with the names of what it belongs to. The user may have been deleted. */
export type NamedSession = Session & {
  tenantName: string
  userEmail: string | null
  deviceName: string
  serverName: string
}

const columns = sql`${sessionColumns}, t.name as "tenantName", u.email as "userEmail", d.device_name as "deviceName", v.name as "serverName"`
const named = sql`vpn_sessions s
  join tenants t on t.id = s.tenant_id
  join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
  join vpn_servers v on v.id = s.server_id
  left join users u on u.tenant_id = s.tenant_id and u.id = s.user_id`

/** Members that are absent select nothing. */
export type NamedSessionFilter = {
  tenantId?: string
  userId?: string
  deviceId?: string
  serverId?: string
  /** Absent: those that are open. */
  status?: SessionStatus
}

/** The same rows for the page and for the total, which needs no names. */
function matching({ tenantId, userId, deviceId, serverId, status }: NamedSessionFilter): Sql {
  return sql.join(
    [
      status === 'ENDED' ? sql`s.status = 'ENDED'` : sql`s.status <> 'ENDED'`,
      ...(status === undefined || status === 'ENDED' ? [] : [sql`s.status = ${status}`]),
      ...(tenantId === undefined ? [] : [sql`s.tenant_id = ${tenantId}`]),
      ...(userId === undefined ? [] : [sql`s.user_id = ${userId}`]),
      ...(deviceId === undefined ? [] : [sql`s.device_id = ${deviceId}`]),
      ...(serverId === undefined ? [] : [sql`s.server_id = ${serverId}`]),
    ],
    sql` and `,
  )
}

export function listNamedSessions(
  platform: PlatformScope,
  filter: NamedSessionFilter,
  page: PageRequest,
): Promise<Page<NamedSession>> {
  const condition = matching(filter)
  return listPage<NamedSession>(platform, page, {
    columns,
    from: sql`from ${named} where ${condition}`,
    countFrom: sql`from vpn_sessions s where ${condition}`,
    orderBy: sql`s.connected_at desc, s.id desc`,
  })
}

export function findNamedSession(
  platform: PlatformScope,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<NamedSession | null> {
  return maybeOne(
    platform,
    sql<NamedSession>`select ${columns} from ${named} where s.tenant_id = ${tenantId} and s.id = ${id}`,
  )
}
