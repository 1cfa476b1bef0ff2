import { type Found, foundMax } from '../kernel/found.ts'
import { many, one, sql } from '../storage/query.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { offlineBefore } from './servers/server.rules.ts'

export type VaultOverview = { devices: number; openSessions: number; servers: number; offlineServers: number }

export function readVaultOverview(platform: PlatformScope, now: Date): Promise<VaultOverview> {
  return one(
    platform,
    sql<VaultOverview>`select coalesce(sum(active_count), 0)::int as devices, count(*)::int as servers,
        (count(*) filter (where has_agent and status <> 'DISABLED'
          and (last_seen_at is null or last_seen_at < ${offlineBefore(now)})))::int as "offlineServers",
        (select count(*) from vpn_sessions where status <> 'ENDED')::int as "openSessions"
      from vpn_servers where deleted_at is null`,
  )
}

const isOfTenant = sql`exists (select from tenants t where t.id = d.tenant_id and t.deleted_at is null)`

/** The device and the open session with an id. */
export function findVpnThings(platform: PlatformScope, id: string): Promise<Found[]> {
  return many(
    platform,
    sql<Found>`select 'DEVICE' as kind, id, tenant_id as "tenantId", device_name as name, assigned_ip as detail
        from devices d where id = ${id} and ${isOfTenant}
      union all
      select 'VPN_SESSION', s.id, s.tenant_id, d.device_name, s.status
        from vpn_sessions s join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
        where s.status <> 'ENDED' and s.id = ${id} and ${isOfTenant}
      union all
      select 'VPN_SERVER', id, null, name, region from vpn_servers where deleted_at is null and id = ${id}`,
  )
}

export function findServersByName(platform: PlatformScope, text: string): Promise<Found[]> {
  return many(
    platform,
    sql<Found>`select 'VPN_SERVER' as kind, id, null as "tenantId", name, region as detail from vpn_servers
      where deleted_at is null and position(lower(${text}) in lower(name)) > 0 order by name, id limit ${foundMax}`,
  )
}
