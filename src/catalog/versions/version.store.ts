import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import { many, one, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { selectList } from '../columns.store.ts'
import { type Revised, revisedStore } from '../revised/revised.store.ts'
import type { Channel, VersionFields } from './version.rules.ts'

export type Version = Revised<VersionFields>

const terms = {
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
const columns = sql`id, product_id as "productId", revision, created_at as "createdAt", updated_at as "updatedAt", ${selectList<VersionFields>(terms)}`

export const versionStore = revisedStore<VersionFields>({ name: 'product_versions', terms, order: newestFirst })

/** The newest that is not yanked, of each channel of each of the products. */
export async function listLatestIds(platform: PlatformScope, productIds: string[]): Promise<Set<string>> {
  const rows = await many(
    platform,
    sql<{ id: string }>`select distinct on (product_id, channel) id from product_versions
      where product_id = any(${productIds}::uuid[]) and yanked_at is null order by product_id, channel, ${newestFirst}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The newest of each product, at most `limit`. */
export function listNewestVersions(platform: PlatformScope, productIds: string[], limit: number): Promise<Version[]> {
  return many(
    platform,
    sql<Version>`select newest.* from unnest(${productIds}::uuid[]) as product(product_id) cross join lateral (
        select ${columns} from product_versions where product_versions.product_id = product.product_id
        order by ${newestFirst} limit ${limit}) newest`,
  )
}

export async function listPublicVersions(
  platform: PlatformScope,
  { productId, channel, ...page }: PageRequest & { productId: string; channel: Channel | null },
): Promise<Page<Version>> {
  const wanted = sql`product_id = ${productId} and (${channel}::text is null or channel = ${channel})`
  const items = await many(
    platform,
    sql<Version>`select ${columns} from product_versions where ${wanted}
      order by ${newestFirst} limit ${page.limit} offset ${pageOffset(page)}`,
  )
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from product_versions where ${wanted}`,
  )
  return { items, total }
}
