import type { FeatureName } from '../../../providers/provider.ts'
import { many, maybeOne, run, sql } from '../../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../../storage/scope.ts'

export type ChannelKey = { integrationId: string; feature: FeatureName; resource: string }
export type Channel = {
  connectionId: string
  externalId: string
  resourceId: string | null
  renewAt: Date
  expiresAt: Date
}

const columns = sql`connection_id as "connectionId", external_id as "externalId", resource_id as "resourceId", renew_at as "renewAt",
  expires_at as "expiresAt"`

export function findChannel(
  scope: TenantScope,
  { integrationId, feature, resource }: ChannelKey,
): Promise<Channel | null> {
  return maybeOne(
    scope,
    sql<Channel>`select ${columns} from integration_channels where tenant_id = ${scope.tenantId}
      and integration_id = ${integrationId} and feature = ${feature} and resource = ${resource}`,
  )
}

export async function saveChannel(scope: TenantScope, key: ChannelKey, channel: Channel): Promise<void> {
  const { connectionId, externalId, resourceId, renewAt, expiresAt } = channel
  await run(
    scope,
    sql`insert into integration_channels (tenant_id, integration_id, feature, resource, connection_id, external_id, resource_id,
        renew_at, expires_at)
      values (${scope.tenantId}, ${key.integrationId}, ${key.feature}, ${key.resource}, ${connectionId}, ${externalId}, ${resourceId},
        ${renewAt}, ${expiresAt})
      on conflict (tenant_id, integration_id, feature, resource) do update set connection_id = excluded.connection_id,
        external_id = excluded.external_id, resource_id = excluded.resource_id, renew_at = excluded.renew_at,
        expires_at = excluded.expires_at`,
  )
}

/** Of an integration that ends. */
export function takeChannels(
  tx: TenantScope,
  integrationId: string,
): Promise<{ externalId: string; resourceId: string | null }[]> {
  return many(
    tx,
    sql<{ externalId: string; resourceId: string | null }>`delete from integration_channels
      where tenant_id = ${tx.tenantId} and integration_id = ${integrationId}
      returning external_id as "externalId", resource_id as "resourceId"`,
  )
}

/** Providers no longer send anything over them. */
export async function deleteChannelsBefore(scope: PlatformScope, before: Date): Promise<void> {
  await run(scope, sql`delete from integration_channels where expires_at < ${before}`)
}
