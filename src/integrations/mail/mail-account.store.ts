import { maybeOne, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type MailIntegration = { id: string; provider: 'google' | 'microsoft'; address: string }

const isForMail = sql`status = 'active' and provider in ('google', 'microsoft') and account_name like '%@%'
  and features @> '[{"name": "mail", "status": "on"}]'`
const columns = sql`id, provider, account_name as address`

/** The one of the organization that was connected first. */
export function findMailIntegrationOf(scope: TenantScope, orgId: string): Promise<MailIntegration | null> {
  return maybeOne(
    scope,
    sql<MailIntegration>`select ${columns} from integrations where tenant_id = ${scope.tenantId} and org_id = ${orgId} and ${isForMail}
      order by created_at, id limit 1`,
  )
}

export function findMailIntegration(scope: TenantScope, id: string): Promise<MailIntegration | null> {
  return maybeOne(
    scope,
    sql<MailIntegration>`select ${columns} from integrations where tenant_id = ${scope.tenantId} and id = ${id} and ${isForMail}`,
  )
}
