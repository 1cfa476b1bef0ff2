import type { ProviderName } from '../../providers/provider.ts'
import { maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'

export type Revocation = {
  id: string
  provider: ProviderName
  clientId: string
  accountId: string | null
  grantSealed: Buffer
  tenantId: string | null
  integrationId: string | null
}

export async function insertRevocation(tx: Scope, revocation: Revocation, now: Date): Promise<void> {
  const { id, provider, clientId, accountId, grantSealed, tenantId, integrationId } = revocation
  await run(
    tx,
    sql`insert into integration_revocations (id, provider, client_id, account_id, grant_sealed, audited_tenant_id, integration_id, created_at)
      values (${id}, ${provider}, ${clientId}, ${accountId}, ${grantSealed}, ${tenantId}, ${integrationId}, ${now})`,
  )
}

export function findRevocation(platform: PlatformScope, id: string): Promise<Revocation | null> {
  return maybeOne(
    platform,
    sql<Revocation>`select id, provider, client_id as "clientId", account_id as "accountId", grant_sealed as "grantSealed",
        audited_tenant_id as "tenantId", integration_id as "integrationId"
      from integration_revocations where id = ${id}`,
  )
}

export async function saveRevocation(scope: Scope, id: string, grantSealed: Buffer): Promise<void> {
  await run(scope, sql`update integration_revocations set grant_sealed = ${grantSealed} where id = ${id}`)
}

export function deleteRevocation(tx: Scope, id: string): Promise<number> {
  return run(tx, sql`delete from integration_revocations where id = ${id}`)
}

/** Those that are left over, whatever became of their jobs. */
export function deleteRevocationsBefore(platform: PlatformScope, before: Date): Promise<number> {
  return run(platform, sql`delete from integration_revocations where created_at < ${before}`)
}

/** What an erased tenant leaves behind names it no more. */
export async function detachRevocations(tx: Scope, tenantId: string): Promise<void> {
  await run(
    tx,
    sql`update integration_revocations set audited_tenant_id = null, integration_id = null where audited_tenant_id = ${tenantId}`,
  )
}

/** Whether an integration of anybody lives by the same grant. */
export async function isGrantShared(
  platform: PlatformScope,
  { provider, clientId, accountId }: Pick<Revocation, 'provider' | 'clientId' | 'accountId'>,
): Promise<boolean> {
  if (accountId === null) return false
  const { shared } = await one(
    platform,
    sql<{
      shared: boolean
    }>`select exists (select from integrations where provider = ${provider} and client_id = ${clientId}
      and account_id = ${accountId} and access_sealed is not null and status in ('active', 'choosing')) as shared`,
  )
  return shared
}

export type TakenGrant = {
  tenantId: string
  id: string
  provider: ProviderName
  clientId: string
  accountId: string | null
  userId: string | null
  orgId: string | null
  accessSealed: Buffer | null
  refreshSealed: Buffer | null
  expiresAt: Date | null
}

const taken = sql`tenant_id as "tenantId", id, provider, client_id as "clientId", account_id as "accountId", user_id as "userId",
  org_id as "orgId", access_sealed as "accessSealed", refresh_sealed as "refreshSealed", expires_at as "expiresAt"`

/** Deletes an integration and returns what is to be revoked. */
export function takeIntegration(tx: TenantScope, id: string): Promise<TakenGrant | null> {
  return maybeOne(
    tx,
    sql<TakenGrant>`delete from integrations where tenant_id = ${tx.tenantId} and id = ${id} returning ${taken}`,
  )
}

/** The next of those that go with their owner. */
export function takeNextOf(
  tx: TenantScope,
  owner: { userId: string } | { orgId: string } | 'tenant',
): Promise<TakenGrant | null> {
  const owned =
    owner === 'tenant'
      ? sql``
      : 'userId' in owner
        ? sql` and user_id = ${owner.userId}`
        : sql` and org_id = ${owner.orgId}`
  return maybeOne(
    tx,
    sql<TakenGrant>`delete from integrations where tenant_id = ${tx.tenantId} and id =
        (select id from integrations where tenant_id = ${tx.tenantId}${owned} limit 1) returning ${taken}`,
  )
}

/** A removed user is named no more where an organization keeps what the user connected. */
export async function forgetConnector(tx: TenantScope, userId: string): Promise<void> {
  await run(
    tx,
    sql`update integrations set connected_by = null where tenant_id = ${tx.tenantId} and connected_by = ${userId}`,
  )
}
