import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { run, sql } from '../../storage/query.ts'
import type { Scope } from '../../storage/scope.ts'
import { withoutSecrets } from './audit.rules.ts'

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
