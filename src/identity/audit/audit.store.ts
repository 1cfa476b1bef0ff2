import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { offsetOf, type Page, type PageRequest } from '../../kernel/paging.ts'
import { many, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import { withoutSecrets } from './audit.rules.ts'
import type { AuditEntryAnswer } from './audit.schema.ts'

export type AuditEntry = {
  /** The noun and the verb of the change: `tenant.create`. */
  action: string
  target: { type: string; id: string | null }
  /** The tenant of the scope unless it is said. */
  tenantId?: string | null
  /** ALLOWED unless it is said. */
  outcome?: 'ALLOWED' | 'DENIED'
  /** What is now otherwise, without secrets: ids and hints stand for keys. */
  changes?: Record<string, unknown>
}

/** Writes down who changed what. Called once a change, in its transaction: both are kept or neither. */
export type Audit = (tx: Scope, entry: AuditEntry) => Promise<void>

export function auditOf(clock: Clock): Audit {
  return (tx, entry) => recordAudit(tx, entry, clock.now())
}

async function recordAudit(tx: Scope, entry: AuditEntry, at: Date): Promise<void> {
  const { action, target, outcome = 'ALLOWED', changes } = entry
  if (outcome === 'ALLOWED' && !tx.handle.inTransaction)
    throw new Error(`${action} was audited outside its transaction.`)
  const tenantId = entry.tenantId === undefined && tx.kind === 'tenant' ? tx.tenantId : (entry.tenantId ?? null)
  const { actor, ip, requestId } = tx.caller
  await run(
    tx,
    sql`insert into audit_log (id, at, tenant_id, actor_type, actor_id, actor_label, action, target_type, target_id, outcome,
        changes, ip, request_id)
      values (${newId(at)}, ${at}, ${tenantId}, ${actor.type}, ${actor.id}, ${actor.label}, ${action}, ${target.type}, ${target.id},
        ${outcome}, ${changes === undefined ? null : JSON.stringify(withoutSecrets(changes))}::jsonb, ${ip}, ${requestId})`,
  )
}

/** An entry as it is read. */
export type AuditRecord = Omit<AuditEntryAnswer, 'at'> & { at: Date }

export type AuditFilter = {
  tenantId: string | null
  actorId: string | null
  /** An action, or its noun alone. */
  action: string | null
  targetId: string | null
  outcome: string | null
  from: Date | null
  to: Date | null
}

export async function listAuditEntries(
  platform: PlatformScope,
  ask: PageRequest & AuditFilter,
): Promise<Page<AuditRecord>> {
  const wanted = sql`(${ask.tenantId}::uuid is null or tenant_id = ${ask.tenantId}) and (${ask.actorId}::uuid is null or actor_id = ${ask.actorId})
    and (${ask.action}::text is null or action = ${ask.action} or split_part(action, '.', 1) = ${ask.action})
    and (${ask.targetId}::text is null or target_id = ${ask.targetId}) and (${ask.outcome}::text is null or outcome = ${ask.outcome})
    and (${ask.from}::timestamptz is null or at >= ${ask.from}) and (${ask.to}::timestamptz is null or at < ${ask.to})`
  const items = await many(
    platform,
    sql<AuditRecord>`select id, at, tenant_id as "tenantId", jsonb_build_object('type', actor_type, 'id', actor_id, 'label', actor_label) as actor,
        action, jsonb_build_object('type', target_type, 'id', target_id) as target, outcome, changes, ip, request_id as "requestId"
      from audit_log where ${wanted} order by at desc, id desc limit ${ask.limit} offset ${offsetOf(ask)}`,
  )
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from audit_log where ${wanted}`,
  )
  return { items, total }
}

/**
 * Takes out of the entries of a tenant what names its persons: they go on telling what was done, and when. What
 * administrators have done keeps their label.
 */
export async function redactTenant(tx: PlatformScope, tenantId: string, now: Date): Promise<number> {
  return run(
    tx,
    sql`update audit_log set changes = null, redacted_at = ${now},
        actor_label = case when actor_type = 'ADMIN' then actor_label else 'erased' end,
        ip = case when actor_type = 'ADMIN' then ip end, request_id = case when actor_type = 'ADMIN' then request_id end
      where tenant_id = ${tenantId} and redacted_at is null`,
  )
}
