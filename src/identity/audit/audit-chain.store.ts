import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import { type ChainEnd, type ChainEndName, type Digests, redactedLabel, type StoredEntry } from './audit-chain.rules.ts'

// The time as text, because a Date would hide changes below a millisecond.
const entryColumns = sql`a.id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at, a.tenant_id as "tenantId",
  a.actor_type as "actorType", a.actor_id as "actorId", a.actor_label as "actorLabel", a.action, a.target_type as "targetType",
  a.target_id as "targetId", a.outcome, a.changes, a.ip, a.request_id as "requestId", a.salt, a.personal_digest as "personalDigest",
  a.digest, a.seq, a.chain_hash as "chainHash", a.redacted_at as "redactedAt", a.redaction_mac as "redactionMac",
  t.erased_at is not null as "isTenantErased"`

export function findEnd(scope: PlatformScope, name: ChainEndName): Promise<ChainEnd | null> {
  return maybeOne(scope, sql<ChainEnd>`select seq, hash, mac from audit_chain_ends where name = ${name}`)
}

/** The end, locked until the transaction ends; null if another transaction has locked it or it is missing. */
export function lockEnd(tx: PlatformScope, name: ChainEndName): Promise<ChainEnd | null> {
  return maybeOne(
    tx,
    sql<ChainEnd>`select seq, hash, mac from audit_chain_ends where name = ${name} for update skip locked`,
  )
}

/** True if the chain had no such end before. */
export async function addEnd(tx: PlatformScope, name: ChainEndName, { seq, hash, mac }: ChainEnd): Promise<boolean> {
  const added = await run(
    tx,
    sql`insert into audit_chain_ends (name, seq, hash, mac) values (${name}, ${seq}, ${hash}, ${mac}) on conflict (name) do nothing`,
  )
  return added === 1
}

export async function moveEnd(tx: PlatformScope, name: ChainEndName, { seq, hash, mac }: ChainEnd): Promise<void> {
  await run(tx, sql`update audit_chain_ends set seq = ${seq}, hash = ${hash}, mac = ${mac} where name = ${name}`)
}

/** Sealed entries in order, after `after`, up to and including `last`. */
export function listSealed(
  scope: PlatformScope,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<StoredEntry[]> {
  return many(
    scope,
    sql<StoredEntry>`select ${entryColumns} from audit_log a left join tenants t on t.id = a.tenant_id
      where a.seq > ${after} and a.seq <= ${last} order by a.seq limit ${limit}`,
  )
}

export type Cursor = { at: string; id: string }
export const firstCursor: Cursor = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** Entries that are not sealed yet, oldest first. */
export function listUnsealed(scope: PlatformScope, after: Cursor, limit: number): Promise<StoredEntry[]> {
  return many(
    scope,
    sql<StoredEntry>`select ${entryColumns} from audit_log a left join tenants t on t.id = a.tenant_id
      where a.seq is null and (a.at, a.id) > (${after.at}::timestamp at time zone 'UTC', ${after.id}::uuid)
      order by a.at, a.id limit ${limit}`,
  )
}

/** The same entries, with only what sealing needs. */
export function listToSeal(tx: PlatformScope, limit: number): Promise<{ id: string; digest: Buffer | null }[]> {
  return many(
    tx,
    sql<{
      id: string
      digest: Buffer | null
    }>`select id, digest from audit_log where seq is null order by at, id limit ${limit}`,
  )
}

export async function sealEntries(
  tx: PlatformScope,
  links: { id: string; seq: number; hash: Buffer }[],
): Promise<void> {
  const [ids, seqs, hashes] = [
    links.map(({ id }) => id),
    links.map(({ seq }) => seq),
    links.map(({ hash }) => hash.toString('hex')),
  ]
  await run(
    tx,
    sql`update audit_log a set seq = link.seq, chain_hash = decode(link.hash, 'hex')
      from unnest(${ids}::uuid[], ${seqs}::bigint[], ${hashes}::text[]) as link (id, seq, hash)
      where a.id = link.id and a.seq is null`,
  )
}

/** Entries that were written before digests existed. */
export function listUndigested(tx: PlatformScope, limit: number): Promise<StoredEntry[]> {
  return many(
    tx,
    sql<StoredEntry>`select ${entryColumns} from audit_log a left join tenants t on t.id = a.tenant_id
      where a.digest is null order by a.at, a.id limit ${limit}`,
  )
}

export async function addDigests(tx: PlatformScope, id: string, digests: Digests): Promise<void> {
  const { salt, personalDigest, digest } = digests
  await run(
    tx,
    sql`update audit_log set salt = ${salt}, personal_digest = ${personalDigest}, digest = ${digest} where id = ${id}`,
  )
}

export async function dropSealed(tx: PlatformScope, last: number): Promise<void> {
  await run(tx, sql`delete from audit_log where seq <= ${last}`)
}

/** The position of a sealed entry outside the ends of the chain; null if there is none. One statement reads a consistent state. */
export async function findSealedOutsideEnds(scope: PlatformScope): Promise<number | null> {
  const row = await maybeOne(
    scope,
    sql<{ seq: number }>`select seq from audit_log
      where seq > (select seq from audit_chain_ends where name = 'HEAD') or seq <= (select seq from audit_chain_ends where name = 'BASE')
      order by seq limit 1`,
  )
  return row?.seq ?? null
}

// In batches, because a tenant may have many entries and statements have a timeout.
const batchMax = 10_000

/** Removes personal data from a tenant's entries. Action, target, time and actor id stay. */
export async function redactEntries(
  tx: Scope,
  { tenantId, now, mac }: { tenantId: string; now: Date; mac: Buffer },
): Promise<number> {
  for (let total = 0; ; ) {
    const redacted = await run(
      tx,
      sql`update audit_log set actor_label = ${redactedLabel}, ip = null, request_id = null, changes = null, salt = null,
          redacted_at = ${now}, redaction_mac = ${mac}
        where id = any (array(select id from audit_log where tenant_id = ${tenantId} and redacted_at is null limit ${batchMax}))`,
    )
    total += redacted
    if (redacted < batchMax) return total
  }
}
