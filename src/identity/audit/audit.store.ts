import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { derivedId, newId } from '../../kernel/ids.ts'
import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import { redactSecrets } from '../../kernel/redaction.ts'
import { many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import { rowCount } from '../../storage/row-counts.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import type { AuditEntryAnswer } from './audit.schema.ts'
import { entryDigests, exactTimestamp, saltBytes } from './audit-chain.rules.ts'

export type AuditEntry = {
  /** The noun and the verb of the change: `tenant.create`. */
  action: string
  target: { type: string; id: string | null }
  /** Default: the tenant of the scope. */
  tenantId?: string | null
  /** Default: ALLOWED. */
  outcome?: 'ALLOWED' | 'DENIED'
  /** What was changed. Must not contain secrets: use ids and key prefixes instead of keys. */
  changes?: Record<string, unknown>
  /** Of the entries with this key and action only the first of each minute is kept, whichever node writes it. */
  oncePerMinute?: string
}

/** Records who changed what. Call it once per change, in the same transaction, so that both are saved or neither. */
export type Audit = (tx: Scope, entry: AuditEntry) => Promise<void>

/** @param chainKey the key of the digests, which reveal a later change of an entry. */
export function auditRecorder(clock: Clock, chainKey: Buffer): Audit {
  return (tx, entry) => recordAudit(tx, entry, { at: clock.now(), chainKey })
}

async function recordAudit(
  tx: Scope,
  entry: AuditEntry,
  { at, chainKey }: { at: Date; chainKey: Buffer },
): Promise<void> {
  const { action, target, outcome = 'ALLOWED', changes } = entry
  if (outcome === 'ALLOWED' && !tx.handle.inTransaction)
    throw new Error(`${action} was audited outside its transaction.`)
  const tenantId = entry.tenantId === undefined && tx.kind === 'tenant' ? tx.tenantId : (entry.tenantId ?? null)
  const { actor, ip, requestId } = tx.caller
  const id = entryId(entry, { at, chainKey })
  const changesJson = changes === undefined ? null : JSON.stringify(redactSecrets(changes))
  const content = {
    id,
    at: exactTimestamp(at),
    tenantId,
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    action,
    targetType: target.type,
    targetId: target.id,
    outcome,
    changes: changesJson === null ? null : JSON.parse(changesJson),
    ip,
    requestId,
  }
  const { salt, personalDigest, digest } = entryDigests(chainKey, content, randomBytes(saltBytes))
  await run(
    tx,
    sql`insert into audit_log (id, at, tenant_id, actor_type, actor_id, actor_label, action, target_type, target_id, outcome,
        changes, ip, request_id, salt, personal_digest, digest)
      values (${id}, ${at}, ${tenantId}, ${actor.type}, ${actor.id}, ${actor.label}, ${action}, ${target.type}, ${target.id},
        ${outcome}, ${changesJson}::jsonb, ${ip}, ${requestId}, ${salt}, ${personalDigest}, ${digest})
      ${sql.raw(entry.oncePerMinute === undefined ? '' : 'on conflict (id) do nothing')}`,
  )
}

/** An entry that is kept once per minute has the same id on every node, so that the second one is not inserted. */
function entryId({ action, oncePerMinute }: AuditEntry, { at, chainKey }: { at: Date; chainKey: Buffer }): string {
  if (oncePerMinute === undefined) return newId(at)
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000)
  return derivedId(
    minute,
    createHmac('sha256', chainKey).update(`${action} ${minute.toISOString()} ${oncePerMinute}`).digest(),
  )
}

/** An entry as it is read. */
export type AuditRecord = Omit<AuditEntryAnswer, 'at'> & { at: Date }

export type AuditFilter = {
  tenantId: string | null
  actorId: string | null
  /** An action, or its first part. */
  action: string | null
  targetId: string | null
  outcome: 'ALLOWED' | 'DENIED' | null
  requestId: string | null
  from: Date | null
  to: Date | null
}

const recordColumns = sql`id, at, tenant_id as "tenantId", jsonb_build_object('type', actor_type, 'id', actor_id, 'label', actor_label) as actor,
  action, jsonb_build_object('type', target_type, 'id', target_id) as target, outcome, changes, ip, request_id as "requestId"`

/** Contains only the given filters, so that each combination gets its own query plan. */
function filterCondition(filter: AuditFilter): Sql {
  const conditions = [
    filter.tenantId !== null && sql`tenant_id = ${filter.tenantId}`,
    filter.actorId !== null && sql`actor_id = ${filter.actorId}`,
    filter.action !== null && actionCondition(filter.action),
    filter.targetId !== null && sql`target_id = ${filter.targetId}`,
    // In words and not as parameters, for the index of what was denied.
    filter.outcome === 'DENIED' && sql`outcome = 'DENIED'`,
    filter.outcome === 'ALLOWED' && sql`outcome = 'ALLOWED'`,
    filter.requestId !== null && sql`request_id = ${filter.requestId}`,
    filter.from !== null && sql`at >= ${filter.from}`,
    filter.to !== null && sql`at < ${filter.to}`,
  ]
  return sql.join([sql`true`, ...conditions.filter((condition) => condition !== false)], sql` and `)
}

/** The index is on both: the first part finds the entries, and the whole action puts them in order. */
function actionCondition(action: string): Sql {
  const [noun] = action.split('.')
  const ofNoun = sql`split_part(action, '.', 1) = ${noun}`
  return noun === action ? ofNoun : sql`${ofNoun} and action = ${action}`
}

/** Whether all entries of a tenant or of the log are listed: their number is stored and need not be counted. */
function isUnfiltered({ actorId, action, targetId, outcome, requestId, from, to }: AuditFilter): boolean {
  return [actorId, action, targetId, outcome, requestId, from, to].every((value) => value === null)
}

export async function listAuditEntries(
  platform: PlatformScope,
  query: PageRequest & AuditFilter,
): Promise<Page<AuditRecord>> {
  const condition = filterCondition(query)
  const items = await many(
    platform,
    sql<AuditRecord>`select ${recordColumns} from audit_log where id in (
        select id from audit_log where ${condition} order by at desc, id desc limit ${query.limit} offset ${pageOffset(query)})
      order by at desc, id desc`,
  )
  if (isUnfiltered(query)) return { items, total: await rowCount(platform, 'audit_log', query.tenantId) }
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from audit_log where ${condition}`,
  )
  return { items, total }
}

/** Newest first. */
export function listLastAuditEntries(platform: PlatformScope, count: number): Promise<AuditRecord[]> {
  return many(
    platform,
    sql<AuditRecord>`select ${recordColumns} from audit_log order by at desc, id desc limit ${count}`,
  )
}

/** The next entries after `after`, in the same order (keyset pagination). */
export function listAuditEntriesAfter(
  platform: PlatformScope,
  filter: AuditFilter,
  { after, limit }: { after: { at: Date; id: string } | null; limit: number },
): Promise<AuditRecord[]> {
  return many(
    platform,
    sql<AuditRecord>`select ${recordColumns} from audit_log
      where ${filterCondition(filter)} ${after === null ? sql`` : sql`and (at, id) < (${after.at}, ${after.id})`}
      order by at desc, id desc limit ${limit}`,
  )
}

/** Whether more than `than` entries match the filter. */
export async function hasMoreAuditEntries(
  platform: PlatformScope,
  filter: AuditFilter,
  than: number,
): Promise<boolean> {
  const beyond = await maybeOne(
    platform,
    sql`select 1 as found from audit_log where ${filterCondition(filter)} order by at desc, id desc limit 1 offset ${than}`,
  )
  return beyond !== null
}
