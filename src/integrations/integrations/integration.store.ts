import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { ProviderName } from '../../providers/provider.ts'
import { listPage, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Integration } from './integration.rules.ts'

const columns = sql`tenant_id as "tenantId", id, provider, user_id as "userId", org_id as "orgId", connected_by as "connectedBy", status, cause,
  account_id as "accountId", account_name as "accountName", choices, features, scopes, app, client_id as "clientId", is_broker as "isBroker",
  token_version as "tokenVersion", expires_at as "expiresAt", last_used_at as "lastUsedAt", last_success_at as "lastSuccessAt", failures,
  next_try_at as "nextTryAt", revision, created_at as "createdAt", updated_at as "updatedAt"`

export function findIntegration(scope: TenantScope, id: string): Promise<Integration | null> {
  return maybeOne(
    scope,
    sql<Integration>`select ${columns} from integrations where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Locks the integration until the transaction ends. */
export function lockIntegration(tx: TenantScope, id: string): Promise<Integration | null> {
  return maybeOne(
    tx,
    sql<Integration>`select ${columns} from integrations where tenant_id = ${tx.tenantId} and id = ${id} for no key update`,
  )
}

export type Owner = { userId: string; orgId: null } | { userId: null; orgId: string }

const ownedBy = (scope: TenantScope, { userId, orgId }: Owner) =>
  orgId === null
    ? sql`tenant_id = ${scope.tenantId} and user_id = ${userId}`
    : sql`tenant_id = ${scope.tenantId} and org_id = ${orgId}`

export function listIntegrations(
  scope: TenantScope,
  { owner, provider }: { owner: Owner; provider: ProviderName | undefined },
  page: PageRequest,
): Promise<Page<Integration>> {
  const ofProvider = provider === undefined ? sql`` : sql` and provider = ${provider}`
  return listPage<Integration>(scope, page, {
    columns,
    from: sql`from integrations where ${ownedBy(scope, owner)}${ofProvider}`,
    orderBy: sql`created_at desc, id desc`,
  })
}

/** Another integration of the same owner with the account. */
export function findOfAccount(
  tx: TenantScope,
  { owner, provider, accountId }: { owner: Owner; provider: ProviderName; accountId: string },
): Promise<Integration | null> {
  return maybeOne(
    tx,
    sql<Integration>`select ${columns} from integrations
      where ${ownedBy(tx, owner)} and provider = ${provider} and account_id = ${accountId} for no key update`,
  )
}

export async function insertPending(tx: TenantScope, integration: Integration): Promise<void> {
  const it = integration
  await run(
    tx,
    sql`insert into integrations (tenant_id, id, provider, user_id, org_id, connected_by, status, features, scopes, app, client_id,
        is_broker, created_at, updated_at)
      values (${tx.tenantId}, ${it.id}, ${it.provider}, ${it.userId}, ${it.orgId}, ${it.connectedBy}, 'pending',
        ${JSON.stringify(it.features)}::jsonb, ${JSON.stringify(it.scopes)}::jsonb, ${it.app}, ${it.clientId}, ${it.isBroker},
        ${it.createdAt}, ${it.createdAt})`,
  )
}

/** How many the owner has, without those that nobody confirmed. */
export async function countOfOwner(tx: TenantScope, owner: Owner): Promise<number> {
  const { total } = await one(
    tx,
    sql<{
      total: number
    }>`select count(*)::int as total from integrations where ${ownedBy(tx, owner)} and status <> 'pending'`,
  )
  return total
}

export async function countPendingOfOwner(tx: TenantScope, owner: Owner): Promise<number> {
  const { total } = await one(
    tx,
    sql<{
      total: number
    }>`select count(*)::int as total from integrations where ${ownedBy(tx, owner)} and status = 'pending'`,
  )
  return total
}

/** The same of the whole tenant. Exact while the tenant is locked. */
export async function countIntegrations(tx: TenantScope): Promise<number> {
  const { total } = await one(
    tx,
    sql<{
      total: number
    }>`select count(*)::int as total from integrations where tenant_id = ${tx.tenantId} and status <> 'pending'`,
  )
  return total
}

/** Writes features, account and status. The tokens have statements of their own. */
export async function saveIntegration(tx: TenantScope, integration: Integration, now: Date): Promise<void> {
  const it = integration
  await run(
    tx,
    sql`update integrations set status = ${it.status}, cause = ${it.cause}, account_id = ${it.accountId}, account_name = ${it.accountName},
        choices = ${it.choices === null ? null : JSON.stringify(it.choices)}::jsonb, features = ${JSON.stringify(it.features)}::jsonb,
        scopes = ${JSON.stringify(it.scopes)}::jsonb, app = ${it.app}, client_id = ${it.clientId}, is_broker = ${it.isBroker},
        connected_by = ${it.connectedBy}, revision = revision + 1, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${it.id}`,
  )
}

export async function noteCause(
  tx: TenantScope,
  { id, cause }: { id: string; cause: string },
  now: Date,
): Promise<void> {
  await run(
    tx,
    sql`update integrations set cause = ${cause}, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} and status = 'pending'`,
  )
}

/** An administrator of the directory has to allow these features. Those that work already go on. */
export async function noteAdminConsent(
  tx: TenantScope,
  { id, features }: { id: string; features: readonly string[] },
  now: Date,
): Promise<void> {
  await run(
    tx,
    sql`update integrations set revision = revision + 1, updated_at = ${now}, features = (
        select jsonb_agg(case when f ->> 'name' = any (${features}::text[]) and f ->> 'status' <> 'on'
          then f || '{"status": "admin_consent"}'::jsonb else f end order by place)
        from jsonb_array_elements(features) with ordinality as each (f, place))
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}
