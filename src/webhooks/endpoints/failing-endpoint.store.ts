import { many, one, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

export type FailingEndpoint = {
  id: string
  tenantId: string
  tenantName: string
  url: string
  status: string
  failingSince: Date
}

/** Endpoints whose last delivery failed: how many, and those that have failed the longest. */
export type FailingEndpoints = { total: number; endpoints: FailingEndpoint[] }

const shownMax = 5

export async function readFailingEndpoints(platform: PlatformScope): Promise<FailingEndpoints> {
  const from = sql`from webhook_endpoints e join tenants t on t.id = e.tenant_id and t.deleted_at is null
    where e.failing_since is not null`
  const endpoints = await many(
    platform,
    sql<FailingEndpoint>`select e.id, e.tenant_id as "tenantId", t.name as "tenantName", e.url, e.status, e.failing_since as "failingSince"
      ${from} order by e.failing_since, e.id limit ${shownMax}`,
  )
  const { total } = await one(platform, sql<{ total: number }>`select count(*)::int as total ${from}`)
  return { total, endpoints }
}
