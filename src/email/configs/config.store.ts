import { maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import type { CheckedStatus, Owner, OwnSettings } from './config.rules.ts'

/** What one level has set. */
export type Config = Owner & {
  settings: OwnSettings
  localPart: string | null
  transportPassword: Buffer | null
  inboundPassword: Buffer | null
  sending: CheckedStatus
  receiving: CheckedStatus
  /** 0: nothing was ever set. */
  revision: number
  updatedAt: Date | null
}

const columns = sql`owner_id as "ownerId", org_id as "orgId", settings, local_part as "localPart",
  transport_password_sealed as "transportPassword", inbound_password_sealed as "inboundPassword", sending, receiving, revision,
  updated_at as "updatedAt"`

export function findConfig(scope: TenantScope, ownerId: string): Promise<Config | null> {
  return maybeOne(
    scope,
    sql<Config>`select ${columns} from email_configs where tenant_id = ${scope.tenantId} and owner_id = ${ownerId}`,
  )
}

export type FoundAddress = Owner & { tenantId: string; localPart: string; isTenantActive: boolean }

/** Whose address it is, of all tenants; null for an unknown one, and for one that receives nothing. */
export function findByLocalPart(platform: PlatformScope, localPart: string): Promise<FoundAddress | null> {
  return maybeOne(
    platform,
    sql<FoundAddress>`select c.tenant_id as "tenantId", c.owner_id as "ownerId", c.org_id as "orgId",
        c.local_part as "localPart", t.status = 'ACTIVE' and t.deleted_at is null as "isTenantActive"
      from email_configs c join tenants t on t.id = c.tenant_id where c.local_part = ${localPart}
        and c.settings -> 'inbound' ->> 'kind' is distinct from 'none'`,
  )
}

/** Whose mails a connection delivers, whatever address they are for. */
export function findByConnection(platform: PlatformScope, connectionId: string): Promise<FoundAddress | null> {
  return maybeOne(
    platform,
    sql<FoundAddress>`select tenant_id as "tenantId", owner_id as "ownerId", org_id as "orgId",
        coalesce(local_part, '') as "localPart", true as "isTenantActive"
      from email_configs where settings -> 'inbound' ->> 'connectionId' = ${connectionId}
        and settings -> 'inbound' ->> 'kind' = 'webhook' order by created_at limit 1`,
  )
}

/** A row for settings that are about to change, locked. Rows of organizations exist from their start. */
export async function lockConfig(tx: TenantScope, { ownerId, orgId }: Owner, now: Date): Promise<Config> {
  await insertConfig(tx, { ownerId, orgId, localPart: null, revision: 0, now })
  return one(
    tx,
    sql<Config>`select ${columns} from email_configs where tenant_id = ${tx.tenantId} and owner_id = ${ownerId} for update`,
  )
}

/** False where the owner has a configuration, or another one the address. */
export async function insertConfig(
  tx: TenantScope,
  row: Owner & { localPart: string | null; revision: number; now: Date },
): Promise<boolean> {
  const { ownerId, orgId, localPart, revision, now } = row
  const inserted = await run(
    tx,
    sql`insert into email_configs (tenant_id, owner_id, org_id, local_part, revision, created_at, updated_at)
      values (${tx.tenantId}, ${ownerId}, ${orgId}, ${localPart}, ${revision}, ${now}, ${now}) on conflict do nothing`,
  )
  return inserted > 0
}

type SavedConfig = Pick<
  Config,
  'ownerId' | 'settings' | 'localPart' | 'transportPassword' | 'inboundPassword' | 'sending' | 'receiving'
>

/** Null where another owner of the installation has the address. */
export async function saveConfig(tx: TenantScope, config: SavedConfig, now: Date): Promise<Config | null> {
  try {
    return await one(
      tx,
      sql<Config>`update email_configs set settings = ${JSON.stringify(config.settings)}::jsonb,
          local_part = ${config.localPart}, transport_password_sealed = ${config.transportPassword},
          inbound_password_sealed = ${config.inboundPassword}, sending = ${config.sending}, receiving = ${config.receiving},
          revision = revision + 1, updated_at = ${now}
        where tenant_id = ${tx.tenantId} and owner_id = ${config.ownerId} returning ${columns}`,
    )
  } catch (error) {
    if (violates(error, 'email_configs_local_part')) return null
    throw error
  }
}

export async function deleteConfig(tx: TenantScope, ownerId: string): Promise<void> {
  await run(tx, sql`delete from email_configs where tenant_id = ${tx.tenantId} and owner_id = ${ownerId}`)
}
