import { type Found, foundMax } from '../../kernel/found.ts'
import { many, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** Tenants by id, or by a part of the name or slug. */
export function findTenants(platform: PlatformScope, by: { id: string } | { text: string }): Promise<Found[]> {
  const matching =
    'id' in by
      ? sql`id = ${by.id}`
      : sql`(position(lower(${by.text}) in lower(name)) > 0 or position(lower(${by.text}) in slug) > 0)`
  return many(
    platform,
    sql<Found>`select 'TENANT' as kind, id, id as "tenantId", name, slug as detail from tenants
      where deleted_at is null and ${matching} order by (slug = lower(${'text' in by ? by.text : ''})) desc, created_at desc, id desc limit ${foundMax}`,
  )
}

/** Users by id, or by the start of the e-mail address. */
export function findUsers(platform: PlatformScope, by: { id: string } | { emailStart: string }): Promise<Found[]> {
  const matching =
    'id' in by ? sql`u.id = ${by.id}` : sql`u.email like ${`${by.emailStart.replace(/[\\%_]/g, '\\$&')}%`}`
  return many(
    platform,
    sql<Found>`select 'USER' as kind, u.id, u.tenant_id as "tenantId", u.email as name, t.name as detail
      from users u join tenants t on t.id = u.tenant_id and t.deleted_at is null
      where ${matching} order by u.email, u.created_at desc limit ${foundMax}`,
  )
}

type KeyName = { id: string } | { keyHash: Buffer } | { keyPrefix: string }

function isKey(by: KeyName): Sql {
  if ('id' in by) return sql`k.id = ${by.id}`
  return 'keyHash' in by ? sql`k.key_hash = ${by.keyHash}` : sql`k.key_prefix = ${by.keyPrefix}`
}

export function findApiKeys(platform: PlatformScope, by: KeyName): Promise<Found[]> {
  return many(
    platform,
    sql<Found>`select 'API_KEY' as kind, k.id, k.tenant_id as "tenantId", k.name, k.key_prefix as detail
      from api_keys k join tenants t on t.id = k.tenant_id and t.deleted_at is null
      where ${isKey(by)} order by k.created_at desc, k.id desc limit ${foundMax}`,
  )
}

export function findAdminKeys(platform: PlatformScope, by: KeyName): Promise<Found[]> {
  return many(
    platform,
    sql<Found>`select 'ADMIN_KEY' as kind, k.id, null as "tenantId", k.name, k.key_prefix as detail
      from admin_keys k where ${isKey(by)} order by k.created_at desc, k.id desc limit ${foundMax}`,
  )
}

/** What a request changed, as one. */
export function findAuditOfRequest(platform: PlatformScope, requestId: string): Promise<Found[]> {
  return many(
    platform,
    sql<Found>`select 'AUDIT_ENTRIES' as kind, request_id as id, null as "tenantId", min(action) as name,
        count(*)::text || case count(*) when 1 then ' entry' else ' entries' end as detail
      from audit_log where request_id = ${requestId} group by request_id`,
  )
}
