import { many, maybeOne, run, sql } from '../../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../../storage/scope.ts'

/** A repository, team or project whose issues are followed. */
export type Followed = {
  integrationId: string
  container: string
  connectionId: string | null
  hookId: string | null
  actor: string | null
  renewAt: Date
  readAt: Date
}

const columns = sql`integration_id as "integrationId", container, connection_id as "connectionId", hook_id as "hookId", actor,
  renew_at as "renewAt", read_at as "readAt"`

/** False: it is followed already. */
export async function insertContainer(
  tx: TenantScope,
  { integrationId, container }: Pick<Followed, 'integrationId' | 'container'>,
  now: Date,
): Promise<boolean> {
  const inserted = await run(
    tx,
    sql`insert into integration_containers (tenant_id, integration_id, container, renew_at, read_at)
      values (${tx.tenantId}, ${integrationId}, ${container}, ${now}, ${now})
      on conflict (tenant_id, integration_id, container) do nothing`,
  )
  return inserted === 1
}

export function listContainers(scope: TenantScope, integrationId: string): Promise<Followed[]> {
  return many(
    scope,
    sql<Followed>`select ${columns} from integration_containers
      where tenant_id = ${scope.tenantId} and integration_id = ${integrationId} order by container`,
  )
}

export function findContainer(
  scope: TenantScope,
  { integrationId, container }: Pick<Followed, 'integrationId' | 'container'>,
): Promise<Followed | null> {
  return maybeOne(
    scope,
    sql<Followed>`select ${columns} from integration_containers
      where tenant_id = ${scope.tenantId} and integration_id = ${integrationId} and container = ${container}`,
  )
}

/** False: it is no longer followed. */
export async function saveHook(tx: TenantScope, it: Omit<Followed, 'readAt'>): Promise<boolean> {
  const saved = await run(
    tx,
    sql`update integration_containers set connection_id = ${it.connectionId}, hook_id = ${it.hookId}, actor = ${it.actor},
        renew_at = ${it.renewAt}
      where tenant_id = ${tx.tenantId} and integration_id = ${it.integrationId} and container = ${it.container}`,
  )
  return saved === 1
}

export async function saveReadAt(
  scope: TenantScope,
  { integrationId, container, readAt }: Pick<Followed, 'integrationId' | 'container' | 'readAt'>,
): Promise<void> {
  await run(
    scope,
    sql`update integration_containers set read_at = ${readAt}
      where tenant_id = ${scope.tenantId} and integration_id = ${integrationId} and container = ${container}`,
  )
}

/** Those of an integration that ends. */
export function takeContainers(tx: TenantScope, integrationId: string): Promise<Followed[]> {
  return many(
    tx,
    sql<Followed>`delete from integration_containers where tenant_id = ${tx.tenantId} and integration_id = ${integrationId}
      returning ${columns}`,
  )
}

/** Integrations with webhooks to make or to renew, of all tenants. */
export function listHooksDue(
  platform: PlatformScope,
  { now, limit }: { now: Date; limit: number },
): Promise<{ tenantId: string; id: string }[]> {
  return many(
    platform,
    sql<{ tenantId: string; id: string }>`select distinct c.tenant_id as "tenantId", c.integration_id as id
      from integration_containers c join integrations i on i.tenant_id = c.tenant_id and i.id = c.integration_id
      where c.renew_at <= ${now} and i.status = 'active' limit ${limit}`,
  )
}
