import type { Activity, ActivityWindow } from '../../kernel/activity.ts'
import { type Found, foundMax } from '../../kernel/found.ts'
import { activityColumns } from '../../storage/activity.ts'
import { many, one, sql } from '../../storage/query.ts'
import { rowCount } from '../../storage/row-counts.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Plan } from './license.rules.ts'
import type { LicenseRef } from './license.store.ts'

export type EndingLicense = {
  id: string
  tenantId: string
  tenantName: string
  product: string
  plan: Plan
  expiresAt: Date
}

export type LicensingOverview = {
  licenses: number
  newLicenses: Activity
  /** Those that end within two weeks: how many, and the first of them. */
  ending: { total: number; licenses: EndingLicense[] }
}

const endingMs = 14 * 24 * 3600 * 1000
const shownMax = 5

export async function readLicensingOverview(
  platform: PlatformScope,
  { window, now }: { window: ActivityWindow; now: Date },
): Promise<LicensingOverview> {
  const until = new Date(now.getTime() + endingMs)
  const isEnding = sql`l.revoked_at is null and l.expires_at > ${now} and l.expires_at <= ${until}`
  const from = sql`from licenses l join tenants t on t.id = l.tenant_id and t.deleted_at is null where ${isEnding}`
  const licenses = await many(
    platform,
    sql<EndingLicense>`select l.id, l.tenant_id as "tenantId", t.name as "tenantName", l.product, l.plan, l.expires_at as "expiresAt"
      ${from} order by l.expires_at, l.id limit ${shownMax}`,
  )
  const { total } = await one(platform, sql<{ total: number }>`select count(*)::int as total ${from}`)
  const newLicenses = await one(
    platform,
    sql<Activity>`select ${activityColumns(sql`created_at`, window)} from licenses where created_at >= ${window.weekAgo}`,
  )
  return { licenses: await rowCount(platform, 'licenses', null), newLicenses, ending: { total, licenses } }
}

export function searchLicense(platform: PlatformScope, ref: LicenseRef): Promise<Found[]> {
  const isNamed = 'id' in ref ? sql`id = ${ref.id}` : sql`key_hash = ${ref.keyHash}`
  return many(
    platform,
    sql<Found>`select 'LICENSE' as kind, id, tenant_id as "tenantId", product || ' ' || plan as name,
        '...' || key_hint || coalesce(', ' || label, '') as detail
      from licenses where ${isNamed} limit ${foundMax}`,
  )
}
