import { many, sql } from '../../src/storage/query.ts'
import type { PlatformScope } from '../../src/storage/scope.ts'
import type { TestApp } from './app.ts'

export type AuditRow = {
  at: Date
  tenantId: string | null
  actorType: string
  actorLabel: string
  action: string
  targetType: string
  targetId: string | null
  outcome: string
  changes: Record<string, unknown> | null
  ip: string | null
  requestId: string | null
}

/** The audit entries of a tenant, oldest first. Entries of one millisecond come in any order: move the clock between changes. */
export function auditOfTenant(platform: PlatformScope, tenantId: string): Promise<AuditRow[]> {
  return many(
    platform,
    sql<AuditRow>`select at, tenant_id as "tenantId", actor_type as "actorType", actor_label as "actorLabel", action,
        target_type as "targetType", target_id as "targetId", outcome, changes, ip, request_id as "requestId"
      from audit_log where tenant_id = ${tenantId} order by at, id`,
  )
}

type Entry = { action: string; changes: Record<string, unknown> | null }

/** What was done to one thing, newest first, as administrators read it; entries of one millisecond in any order. */
export async function auditOfTarget(
  { call, admin }: Pick<TestApp, 'call' | 'admin'>,
  targetId: string,
): Promise<Entry[]> {
  const { body } = await call({ url: `/admin/audit-logs?targetId=${targetId}&limit=100`, headers: admin })
  return body.auditLogs
}
