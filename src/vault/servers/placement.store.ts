import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
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

export type CandidateFilter = {
  region: string | null
  except: string | null
  aliveSince: Date
  isBuiltInExample: boolean
}

/**
 * Servers with free capacity, the emptiest first. Servers whose agent was not seen since `aliveSince` come after the
 * others, and last the built-in server if it is only an example.
 */
export async function listCandidates(scope: Scope, filter: CandidateFilter): Promise<string[]> {
  const rows = await many(scope, sql<{ id: string }>`select id ${candidates(filter)}`)
  return rows.map(({ id }) => id)
}

function candidates({ region, except, aliveSince, isBuiltInExample }: CandidateFilter): Sql {
  return sql`from vpn_servers
    where status = 'ACTIVE' and deleted_at is null and public_key is not null and active_count < capacity
      and (${region}::text is null or region = ${region}) and (${except}::uuid is null or id <> ${except})
    order by (is_built_in and not has_agent and ${isBuiltInExample}::boolean),
      (not has_agent or last_seen_at >= ${aliveSince}) is true desc, active_count::float8 / capacity, id`
}

export async function lockServers(tx: Scope, ids: string[]): Promise<void> {
  await run(tx, sql`select from vpn_servers where id = any (${ids}::uuid[]) order by id for update`)
}

/** Offsets that were taken from a server: `freed` are used again, and so many new ones begin with `firstNew`. */
export type ClaimedOffsets = SubnetPair & { serverId: string; freed: number[]; firstNew: number }

export type Claim = { count: number; freedBefore: Date }

/** Like `claimOffsets`, on the first of the candidates. Null also where another transaction has just filled that one. */
export function claimOffsetsOfFirst(tx: Scope, filter: CandidateFilter, asked: Claim): Promise<ClaimedOffsets | null> {
  return maybeOne(tx, claim(sql`select id ${candidates(filter)} limit 1`, asked))
}

/**
 * Takes capacity and offsets for `count` devices: those that have been free longest, if they were released before
 * `freedBefore`, then the next that no device ever had. Locks the server's row until the transaction ends. Null, with
 * nothing changed, where the server has too little capacity.
 */
export function claimOffsets(tx: Scope, serverId: string, asked: Claim): Promise<ClaimedOffsets | null> {
  return maybeOne(tx, claim(sql`select ${serverId}::uuid as id`, asked))
}

/** One statement, because each costs as much as the work in it. `chosen` selects the id of at most one server. */
function claim(chosen: Sql, { count, freedBefore }: Claim): Sql<ClaimedOffsets> {
  // Materialized: a plain subselect with `skip locked` may be run again and then deletes, and loses, further offsets.
  return sql<ClaimedOffsets>`with chosen as materialized (${chosen}), oldest as materialized (
      select f.host_offset, f.freed_at from chosen join vpn_freed_offsets f on f.server_id = chosen.id
      where f.freed_at <= ${freedBefore} order by f.freed_at, f.host_offset limit ${count} for update of f skip locked
    ), freed as materialized (
      select coalesce(array_agg(host_offset order by freed_at, host_offset), '{}') as offsets, count(*)::integer as total from oldest
    ), claimed as (
      update vpn_servers v set active_count = v.active_count + ${count}::integer,
        next_offset = v.next_offset + ${count}::integer - freed.total
      from chosen, freed
      where v.id = chosen.id and v.status = 'ACTIVE' and v.deleted_at is null and v.active_count + ${count}::integer <= v.capacity
      returning v.id as "serverId", v.subnet4, v.subnet6, freed.offsets as freed,
        v.next_offset - ${count}::integer + freed.total as "firstNew"
    ), taken as (
      delete from vpn_freed_offsets f using claimed where f.server_id = claimed."serverId" and f.host_offset = any (claimed.freed)
    )
    select * from claimed`
}

/** Gives one new offset back that was claimed in this transaction, and its capacity. */
export async function undoClaim(tx: Scope, serverId: string): Promise<void> {
  await run(
    tx,
    sql`update vpn_servers set active_count = active_count - 1, next_offset = next_offset - 1 where id = ${serverId}`,
  )
}

/** Releases the capacity and the address of a device. */
export async function releasePlacement(
  tx: TenantScope,
  { serverId, deviceId, now }: { serverId: string; deviceId: string; now: Date },
): Promise<void> {
  await run(tx, sql`update vpn_servers set active_count = active_count - 1 where id = ${serverId}`)
  await run(
    tx,
    sql`insert into vpn_freed_offsets (server_id, host_offset, freed_at)
      select server_id, host_offset, ${now} from devices where tenant_id = ${tx.tenantId} and id = ${deviceId} and server_id = ${serverId}`,
  )
}
