import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Active, UsageAddition, UsageField } from './usage.rules.ts'

/** Nodes may report any number. A sum that overflows must not prevent the other counts from being written. */
const bytesMax = Number.MAX_SAFE_INTEGER

/** Adds to the days of tenants and stores who was active: each counts once a day. Erased tenants get nothing more. */
export async function addUsage(platform: PlatformScope, additions: UsageAddition[], actives: Active[]): Promise<void> {
  const tenantIds = [...new Set([...additions, ...actives].map(({ tenantId }) => tenantId))]
  await run(
    platform,
    sql`with alive as (
        select id from tenants where id = any (${tenantIds}::uuid[]) and erased_at is null order by id for key share
      ), new_actives as (
        insert into usage_actives (tenant_id, day, product, kind, id)
        select a.* from unnest(${column(actives, 'tenantId')}::uuid[], ${column(actives, 'day')}::date[],
          ${column(actives, 'product')}::text[], ${column(actives, 'kind')}::text[], ${column(actives, 'id')}::uuid[])
          as a (tenant_id, day, product, kind, id) join alive on alive.id = a.tenant_id
        order by 1, 2, 3, 4, 5
        on conflict do nothing returning tenant_id, day, product, kind
      ), given as (
        select a.*, 0 as devices, 0 as users
        from unnest(${column(additions, 'tenantId')}::uuid[], ${column(additions, 'day')}::date[], ${column(additions, 'product')}::text[],
          ${column(additions, 'apiCalls')}::bigint[], ${column(additions, 'validations')}::bigint[],
          ${column(additions, 'connections')}::bigint[], ${column(additions, 'connectionSeconds')}::bigint[],
          ${column(additions, 'bytesUp')}::bigint[], ${column(additions, 'bytesDown')}::bigint[])
          as a (tenant_id, day, product, calls, validations, connections, seconds, up, down) join alive on alive.id = a.tenant_id
        union all
        select tenant_id, day, product, 0, 0, 0, 0, 0, 0, (kind = 'DEVICE')::int, (kind = 'USER')::int from new_actives
      )
      insert into usage_metrics as u (tenant_id, day, product, api_calls, validations, connections, connection_seconds,
        bytes_up, bytes_down, active_devices, active_users)
      select tenant_id, day, product, sum(calls), sum(validations), sum(connections), sum(seconds), least(sum(up), ${bytesMax}), least(sum(down), ${bytesMax}), sum(devices), sum(users)
      from given group by 1, 2, 3 order by 1, 2, 3
      on conflict (tenant_id, day, product) do update set
        api_calls = u.api_calls + excluded.api_calls, validations = u.validations + excluded.validations,
        connections = u.connections + excluded.connections, connection_seconds = u.connection_seconds + excluded.connection_seconds,
        bytes_up = least(u.bytes_up + excluded.bytes_up, ${bytesMax}), bytes_down = least(u.bytes_down + excluded.bytes_down, ${bytesMax}),
        active_devices = u.active_devices + excluded.active_devices, active_users = u.active_users + excluded.active_users`,
  )
}

function column<T, K extends keyof T>(rows: T[], name: K): T[K][] {
  return rows.map((row) => row[name])
}

export type UsageDay = Record<UsageField, number> & { day: string; product: string }

/** Days without usage are left out. */
export function usageByDay(
  platform: PlatformScope,
  { tenantId, from, to }: { tenantId: string; from: string; to: string },
): Promise<UsageDay[]> {
  return many(
    platform,
    sql<UsageDay>`select day::text, product, api_calls as "apiCalls", validations, connections,
        connection_seconds as "connectionSeconds", bytes_up as "bytesUp", bytes_down as "bytesDown",
        active_devices as "activeDevices", active_users as "activeUsers"
      from usage_metrics where tenant_id = ${tenantId} and day between ${from} and ${to} order by day, product`,
  )
}

const batchRows = 5000

/** Deletes who was active on days that are complete. */
export async function deleteActivesBefore(
  platform: PlatformScope,
  beforeDay: string,
  signal: AbortSignal,
): Promise<void> {
  let deleted: number
  do {
    deleted = await run(
      platform,
      sql`delete from usage_actives where ctid = any
        (array(select ctid from usage_actives where day < ${beforeDay} limit ${batchRows}))`,
    )
  } while (deleted === batchRows && !signal.aborted)
}
