import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Channel, SchemeName } from '../scheme.ts'
import type { Connection, ConnectionStatus } from './connection.rules.ts'

const columns = sql`c.tenant_id as "tenantId", c.id, c.channel, c.scheme, c.name, c.org_id as "orgId", c.account, c.integration_id as "integrationId", c.settings, c.status,
  c.secret_sealed is not null as "hasSecret", c.previous_until as "previousUntil", c.last_seen_at as "lastSeenAt",
  c.is_environment as "isEnvironment", c.created_at as "createdAt", c.updated_at as "updatedAt"`

/** A connection that a delivery may be for, with its secrets. */
export type Candidate = Connection & {
  secretSealed: Buffer | null
  previousSecretSealed: Buffer | null
  isDeleted: boolean
  isTenantActive: boolean
}

const candidateColumns = sql`${columns}, c.secret_sealed as "secretSealed", c.previous_secret_sealed as "previousSecretSealed",
  c.deleted_at is not null as "isDeleted", t.status = 'ACTIVE' and t.deleted_at is null as "isTenantActive"`

/** Of any tenant, and also a deleted one: a provider knows only the id. */
export function findCandidate(platform: PlatformScope, channel: Channel, id: string): Promise<Candidate | null> {
  return maybeOne(
    platform,
    sql<Candidate>`select ${candidateColumns} from webhook_connections c join tenants t on t.id = c.tenant_id
      where c.id = ${id} and c.channel = ${channel}`,
  )
}

export type AccountHint = { scheme: SchemeName; account: string }

/** Connections whose account a payload names: the oldest of each tenant first, so that no tenant displaces the others. */
export function listCandidates(
  platform: PlatformScope,
  { channel, hints, limit }: { channel: Channel; hints: AccountHint[]; limit: number },
): Promise<Candidate[]> {
  return many(
    platform,
    sql<Candidate>`select ${candidateColumns} from webhook_connections c join tenants t on t.id = c.tenant_id
      join jsonb_to_recordset(${JSON.stringify(hints)}::jsonb) as h(scheme text, account text)
        on h.scheme = c.scheme and h.account = c.account
      where c.channel = ${channel} and c.deleted_at is null
      order by row_number() over (partition by c.tenant_id order by c.created_at, c.id), c.created_at, c.id limit ${limit}`,
  )
}

/** The connections from INBOUND_SECRETS, at most one for each scheme. */
export function listEnvironmentCandidates(platform: PlatformScope): Promise<Candidate[]> {
  return many(
    platform,
    sql<Candidate>`select ${candidateColumns} from webhook_connections c join tenants t on t.id = c.tenant_id
      where c.is_environment and c.deleted_at is null order by c.scheme`,
  )
}

/** A connection of the tenant with its secrets, to test it. Refuses with NOT_FOUND. */
export function getCandidate(scope: TenantScope, id: string): Promise<Candidate> {
  return one(
    scope,
    sql<Candidate>`select ${candidateColumns} from webhook_connections c join tenants t on t.id = c.tenant_id
      where c.tenant_id = ${scope.tenantId} and c.id = ${id} and c.deleted_at is null`,
  )
}

/** Refuses with NOT_FOUND. */
export function getConnection(scope: TenantScope, id: string): Promise<Connection> {
  return one(
    scope,
    sql<Connection>`select ${columns} from webhook_connections c
      where c.tenant_id = ${scope.tenantId} and c.id = ${id} and c.deleted_at is null`,
  )
}

export async function connectionExists(scope: TenantScope, id: string): Promise<boolean> {
  const found = sql`select from webhook_connections where tenant_id = ${scope.tenantId} and id = ${id} and deleted_at is null`
  return (await maybeOne(scope, found)) !== null
}

/** Those that were made for an integration. */
export function listOfIntegration(
  tx: TenantScope,
  integrationId: string,
): Promise<{ id: string; scheme: SchemeName }[]> {
  return many(
    tx,
    sql<{ id: string; scheme: SchemeName }>`select id, scheme from webhook_connections
      where tenant_id = ${tx.tenantId} and integration_id = ${integrationId} and deleted_at is null order by id`,
  )
}

/** Locks the connection until the transaction ends. Refuses with NOT_FOUND. */
export function lockConnection(tx: TenantScope, id: string): Promise<Connection> {
  return one(
    tx,
    sql<Connection>`select ${columns} from webhook_connections c
      where c.tenant_id = ${tx.tenantId} and c.id = ${id} and c.deleted_at is null for no key update`,
  )
}

export type ConnectionSearch = { channel?: Channel | undefined; status?: ConnectionStatus | undefined }

export async function listConnections(
  scope: TenantScope,
  { channel, status }: ConnectionSearch,
  page: PageRequest,
): Promise<Page<Connection>> {
  const conditions = [
    sql`c.tenant_id = ${scope.tenantId} and c.deleted_at is null`,
    ...(channel === undefined ? [] : [sql`c.channel = ${channel}`]),
    ...(status === undefined ? [] : [sql`c.status = ${status}`]),
  ]
  const matching = sql`from webhook_connections c where ${sql.join(conditions, sql` and `)}`
  return listPage<Connection>(scope, page, { columns, from: matching, orderBy: sql`c.created_at desc, c.id desc` })
}

/** Those that people made. Integrations have limits of their own. Exact while the tenant is locked (`Quotas.lockLimits`). */
export async function countConnections(tx: TenantScope): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from webhook_connections
      where tenant_id = ${tx.tenantId} and deleted_at is null and integration_id is null`,
  )
  return total
}

/** False: there is already a connection of the environment for this scheme. */
export async function insertConnection(
  tx: TenantScope,
  connection: Connection,
  secretSealed: Buffer | null,
): Promise<boolean> {
  const { id, channel, scheme, name, orgId, account, integrationId, settings, status, isEnvironment } = connection
  const { createdAt, updatedAt } = connection
  const inserted = await run(
    tx,
    sql`insert into webhook_connections (tenant_id, id, channel, scheme, name, org_id, account, integration_id, settings, secret_sealed, status,
        is_environment, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${channel}, ${scheme}, ${name}, ${orgId}, ${account}, ${integrationId}, ${JSON.stringify(settings)}::jsonb, ${secretSealed},
        ${status}, ${isEnvironment}, ${createdAt}, ${updatedAt})
      on conflict (scheme) where is_environment and deleted_at is null do nothing`,
  )
  return inserted === 1
}

/** Writes name, organization, account, settings and status. */
export async function saveConnection(tx: TenantScope, connection: Connection): Promise<void> {
  const { id, name, orgId, account, settings, status, updatedAt } = connection
  await run(
    tx,
    sql`update webhook_connections set name = ${name}, org_id = ${orgId}, account = ${account}, settings = ${JSON.stringify(settings)}::jsonb,
        status = ${status}, updated_at = ${updatedAt}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

type NewSecret = { id: string; secretSealed: Buffer; previousUntil: Date | null; now: Date }

/** The current secret becomes the previous one until `previousUntil`; null: it ends at once. An older previous secret ends. */
export async function replaceSecret(
  tx: TenantScope,
  { id, secretSealed, previousUntil, now }: NewSecret,
): Promise<void> {
  await run(
    tx,
    sql`update webhook_connections set previous_secret_sealed = case when ${previousUntil}::timestamptz is not null then secret_sealed end,
        previous_until = case when secret_sealed is not null then ${previousUntil}::timestamptz end,
        secret_sealed = ${secretSealed}, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** Erases its secrets at once. */
export async function markDeleted(tx: TenantScope, id: string, now: Date): Promise<void> {
  await run(
    tx,
    sql`update webhook_connections set deleted_at = ${now}, updated_at = ${now}, secret_sealed = null,
        previous_secret_sealed = null, previous_until = null
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** `last_seen_at` is written at most this often, not with every delivery. */
const lastSeenIntervalMs = 60_000

/** Whether `last_seen_at` is due. The row may be newer by now: `touchConnection` checks again. */
export function isLastSeenDue({ lastSeenAt }: Pick<Connection, 'lastSeenAt'>, now: Date): boolean {
  return lastSeenAt === null || lastSeenAt.getTime() < now.getTime() - lastSeenIntervalMs
}

/** Sets `last_seen_at`, at most once a minute. */
export async function touchConnection(tx: TenantScope, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - lastSeenIntervalMs)
  await run(
    tx,
    sql`update webhook_connections set last_seen_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} and (last_seen_at is null or last_seen_at < ${before})`,
  )
}

/** Deletes connections that were deleted before this time, together with their logs. */
export function dropDeleted(platform: PlatformScope, before: Date): Promise<number> {
  return run(platform, sql`delete from webhook_connections where deleted_at < ${before}`)
}

/** Erases previous secrets that are no longer valid. */
export function dropPreviousSecrets(platform: PlatformScope, now: Date): Promise<number> {
  return run(
    platform,
    sql`update webhook_connections set previous_secret_sealed = null, previous_until = null where previous_until <= ${now}`,
  )
}
