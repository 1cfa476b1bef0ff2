import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ProductChild } from '../product-child/product-child.rules.ts'
import { childColumns, productChildStore } from '../product-child/product-child.store.ts'
import type { Channel, VersionFields } from './version.rules.ts'

export type Version = ProductChild<VersionFields>

const columns = {
  version: ['version', 'text'],
  precedence: ['precedence', 'text'],
  channel: ['channel', 'text'],
  releasedAt: ['released_at', 'timestamptz'],
  notes: ['notes', 'text'],
  notesHtml: ['notes_html', 'text'],
  breaking: ['breaking', 'boolean'],
  minRequirements: ['min_requirements', 'jsonb'],
  yankedAt: ['yanked_at', 'timestamptz'],
  yankReason: ['yank_reason', 'text'],
} as const

const newestFirst = sql`precedence desc, released_at desc, id desc`
const selected = childColumns<VersionFields>(columns)

export const versionStore = productChildStore<VersionFields>({
  name: 'product_versions',
  columns,
  orderBy: newestFirst,
})

/** The ids of the newest version that is not yanked, for each channel of each product. */
export async function listLatestIds(platform: PlatformScope, productIds: string[]): Promise<Set<string>> {
  const rows = await many(
    platform,
    sql<{ id: string }>`select distinct on (product_id, channel) id from product_versions
      where product_id = any(${productIds}::uuid[]) and yanked_at is null order by product_id, channel, ${newestFirst}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The newest versions of each product, at most `limit` of each. */
export function listNewestVersions(platform: PlatformScope, productIds: string[], limit: number): Promise<Version[]> {
  return many(
    platform,
    sql<Version>`select newest.* from unnest(${productIds}::uuid[]) as product(product_id) cross join lateral (
        select ${selected} from product_versions where product_versions.product_id = product.product_id
        order by ${newestFirst} limit ${limit}) newest`,
  )
}

export async function listPublicVersions(
  platform: PlatformScope,
  { productId, channel, ...page }: PageRequest & { productId: string; channel: Channel | null },
): Promise<Page<Version>> {
  const filter = sql`product_id = ${productId} and (${channel}::text is null or channel = ${channel})`
  return listPage<Version>(platform, page, {
    columns: selected,
    from: sql`from product_versions where ${filter}`,
    orderBy: newestFirst,
  })
}
