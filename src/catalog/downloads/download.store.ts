import { many, maybeOne, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ProductChild } from '../product-child/product-child.rules.ts'
import { childColumns, productChildStore } from '../product-child/product-child.store.ts'
import type { DownloadFields } from './download.rules.ts'

export type Download = ProductChild<DownloadFields>

const columns = {
  versionId: ['version_id', 'uuid'],
  kind: ['kind', 'text'],
  platform: ['platform', 'text'],
  arch: ['arch', 'text'],
  fileName: ['file_name', 'text'],
  sizeBytes: ['size_bytes', 'bigint'],
  sha256: ['sha256', 'text'],
  signature: ['signature', 'text'],
  mediaId: ['media_id', 'uuid'],
  externalUrl: ['external_url', 'text'],
  packageManager: ['package_manager', 'text'],
  installCommand: ['install_command', 'text'],
  requiresLicense: ['requires_license', 'boolean'],
  isActive: ['is_active', 'boolean'],
  order: ['position', 'integer'],
} as const

export const downloadStore = productChildStore<DownloadFields>({
  name: 'product_downloads',
  columns,
  orderBy: sql`position, id`,
})

/** A public download with its version and the product's slug. */
export type PublicDownloadRow = Download & { version: string | null; productSlug: string }

const selectActive = sql`select download.*, version.version, products.slug as "productSlug"
  from (select ${childColumns<DownloadFields>(columns)} from product_downloads where is_active) download
  join products on products.id = download."productId"
  left join product_versions version on version.id = download."versionId"`
const isNotYanked = sql`version.yanked_at is null`

export function listPublicDownloads(platform: PlatformScope, productIds: string[]): Promise<PublicDownloadRow[]> {
  return many(
    platform,
    sql<PublicDownloadRow>`${selectActive} where download."productId" = any(${productIds}::uuid[]) and ${isNotYanked}
      order by download."order", version.precedence desc nulls first, download.id`,
  )
}

export function findPublicDownload(
  platform: PlatformScope,
  { productId, id }: { productId: string; id: string },
): Promise<PublicDownloadRow | null> {
  return maybeOne(
    platform,
    sql<PublicDownloadRow>`${selectActive} where download."productId" = ${productId} and download.id = ${id} and ${isNotYanked}`,
  )
}

export async function versionExists(tx: PlatformScope, productId: string, versionId: string): Promise<boolean> {
  const row = await maybeOne(
    tx,
    sql`select 1 from product_versions where id = ${versionId} and product_id = ${productId}`,
  )
  return row !== null
}

/** The product's downloads that use an uploaded file, or those of one version. */
export async function listDownloadIdsWithMedia(
  tx: PlatformScope,
  { productId, versionId }: { productId: string; versionId: string | null },
): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select id from product_downloads where product_id = ${productId} and media_id is not null
      and (${versionId}::uuid is null or version_id = ${versionId})`,
  )
  return rows.map(({ id }) => id)
}
