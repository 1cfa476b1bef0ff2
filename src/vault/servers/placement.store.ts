import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'
import type { SubnetPair } from '../wireguard/address.rules.ts'

/** Regions that a device can be registered in. */
export async function listRegions(scope: Scope): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{
      region: string
    }>`select distinct region from vpn_servers where deleted_at is null and status <> 'DISABLED' order by region`,
  )
  return rows.map(({ region }) => region)
}

/**
 * Servers with free capacity, the emptiest first. Servers whose agent was not seen since `aliveSince` come after the
 * others, and last the built-in server if it is only an example.
 */
export async function listCandidates(
  scope: Scope,
  {
    region,
    except,
    aliveSince,
    isBuiltInExample,
  }: { region: string | null; except: string | null; aliveSince: Date; isBuiltInExample: boolean },
): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ id: string }>`select id from vpn_servers
      where status = 'ACTIVE' and deleted_at is null and public_key is not null and active_count < capacity
        and (${region}::text is null or region = ${region}) and (${except}::uuid is null or id <> ${except})
      order by (is_built_in and not has_agent and ${isBuiltInExample}::boolean),
        (not has_agent or last_seen_at >= ${aliveSince}) is true desc, active_count::float8 / capacity, id`,
  )
  return rows.map(({ id }) => id)
}

export async function lockServers(tx: Scope, ids: string[]): Promise<void> {
  await run(tx, sql`select from vpn_servers where id = any (${ids}::uuid[]) order by id for update`)
}

/** Reserves capacity for one device and locks the server's row until the transaction ends. Null, with nothing changed, where it is full. */
export function reserveSlot(tx: Scope, serverId: string): Promise<SubnetPair | null> {
  return maybeOne(
    tx,
    sql<SubnetPair>`update vpn_servers set active_count = active_count + 1
      where id = ${serverId} and status = 'ACTIVE' and deleted_at is null and active_count < capacity
      returning subnet4, subnet6`,
  )
}

export async function releaseSlot(tx: Scope, serverId: string): Promise<void> {
  await run(tx, sql`update vpn_servers set active_count = active_count - 1 where id = ${serverId}`)
}

/** Releases the capacity and the address of a device. */
export async function releasePlacement(
  tx: TenantScope,
  { serverId, deviceId, now }: { serverId: string; deviceId: string; now: Date },
): Promise<void> {
  await releaseSlot(tx, serverId)
  await run(
    tx,
    sql`insert into vpn_freed_offsets (server_id, host_offset, freed_at)
      select server_id, host_offset, ${now} from devices where tenant_id = ${tx.tenantId} and id = ${deviceId} and server_id = ${serverId}`,
  )
}

/** Takes the offset that has been free longest, if it was released before `freedBefore`; null where there is none. */
export async function claimFreedOffset(tx: Scope, serverId: string, freedBefore: Date): Promise<number | null> {
  // Materialized: a plain subselect with `skip locked` may be run again and then deletes, and loses, a second offset.
  const row = await maybeOne(
    tx,
    sql<{ hostOffset: number }>`with oldest as materialized (
        select server_id, host_offset from vpn_freed_offsets where server_id = ${serverId} and freed_at <= ${freedBefore}
        order by freed_at, host_offset limit 1 for update skip locked
      )
      delete from vpn_freed_offsets freed using oldest
      where freed.server_id = oldest.server_id and freed.host_offset = oldest.host_offset
      returning freed.host_offset as "hostOffset"`,
  )
  return row?.hostOffset ?? null
}

/** Takes the next offset that no device ever had; null once all have been used. */
export async function claimNewOffset(tx: Scope, serverId: string, highestOffset: number): Promise<number | null> {
  const row = await maybeOne(
    tx,
    sql<{ hostOffset: number }>`update vpn_servers set next_offset = next_offset + 1
      where id = ${serverId} and next_offset <= ${highestOffset} returning next_offset - 1 as "hostOffset"`,
  )
  return row?.hostOffset ?? null
}
