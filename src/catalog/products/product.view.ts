import type { MediaLibrary, MediaSummary } from '../../content/index.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { PublicDownload } from '../downloads/download.schema.ts'
import { featureStore } from '../features/feature.store.ts'
import { planStore } from '../plans/plan.store.ts'
import type { Ordered, ProductChild } from '../product-child/product-child.rules.ts'
import { publicChildView } from '../product-child/product-child.view.ts'
import type { ListByProduct } from '../product-child/public-product.ts'
import type { ProductMediaFields } from '../product-media/product-media.rules.ts'
import { productMediaStore } from '../product-media/product-media.store.ts'
import { pictureView, productMediaView, usedMediaIds } from '../product-media/product-media.view.ts'
import type { PublicVersion } from '../versions/version.schema.ts'
import type { Product } from './product.rules.ts'
import type { DocLine, ProductAnswer } from './product.schema.ts'

/** The children that other folders list in a product. */
export type ProductChildLists = {
  versions: ListByProduct<PublicVersion>
  downloads: ListByProduct<PublicDownload>
  docs: ListByProduct<DocLine>
}

/** `PUBLIC` hides inactive plans and the slugs of drafts. */
export type Audience = 'PUBLIC' | 'ADMIN'

export type ProductViews = (
  platform: PlatformScope,
  products: Product[],
  audience: Audience,
) => Promise<ProductAnswer[]>

/** Products with everything that belongs to them. Runs one query for each kind of children, for any number of products. */
export function productViews({ children, media }: { children: ProductChildLists; media: MediaLibrary }): ProductViews {
  return async (platform, products, audience) => {
    if (products.length === 0) return []
    const ids = products.map(({ id }) => id)
    // One after the other: a transaction has one connection.
    const features = byProduct(await featureStore.listByProducts(platform, ids))
    const plans = byProduct(await planStore.listByProducts(platform, ids))
    const pictures = byProduct(await productMediaStore.listByProducts(platform, ids))
    const versions = await children.versions(platform, ids)
    const downloads = await children.downloads(platform, ids)
    const docs = await children.docs(platform, ids)
    const files = await findFiles(platform, { products, media, shown: [...pictures.values()].flat() })
    return products.map((product) => ({
      ...ownView(product, audience),
      icon: pictureView(files.get(product.iconMediaId ?? '')),
      cover: pictureView(files.get(product.coverMediaId ?? '')),
      features: (features.get(product.id) ?? []).map(publicChildView),
      plans: (plans.get(product.id) ?? [])
        .filter(({ isActive }) => isActive || audience === 'ADMIN')
        .map(publicChildView),
      media: (pictures.get(product.id) ?? []).map((record) => productMediaView(record, files)),
      downloads: downloads.get(product.id) ?? [],
      versions: versions.get(product.id) ?? [],
      latestVersion: latestStableVersion(versions.get(product.id) ?? []),
      docs: docs.get(product.id) ?? [],
    }))
  }
}

function ownView(product: Product, audience: Audience) {
  const { replacedById: _, publicReplacedBy, replacedBy, descriptionHtml, ...rest } = product
  return {
    ...rest,
    descriptionHtml: descriptionHtml ?? '',
    replacedBy: audience === 'PUBLIC' ? publicReplacedBy : replacedBy,
    announcedAt: isoOrNull(rest.announcedAt),
    betaAt: isoOrNull(rest.betaAt),
    launchedAt: isoOrNull(rest.launchedAt),
    deprecatedAt: isoOrNull(rest.deprecatedAt),
    sunsetAt: isoOrNull(rest.sunsetAt),
    createdAt: rest.createdAt.toISOString(),
    updatedAt: rest.updatedAt.toISOString(),
  }
}

function byProduct<Fields>(records: ProductChild<Ordered<Fields>>[]): Map<string, ProductChild<Ordered<Fields>>[]> {
  return Map.groupBy(records, ({ productId }) => productId)
}

function findFiles(
  platform: PlatformScope,
  { products, media, shown }: { products: Product[]; media: MediaLibrary; shown: ProductMediaFields[] },
): Promise<Map<string, MediaSummary>> {
  const own = products.flatMap(({ iconMediaId, coverMediaId }) => [iconMediaId, coverMediaId])
  const ids = [...new Set([...own.filter((id) => id !== null), ...usedMediaIds(shown)])]
  return ids.length === 0 ? Promise.resolve(new Map()) : media.find(platform, ids)
}

function latestStableVersion(versions: PublicVersion[]): string | null {
  return versions.find(({ channel, isLatest }) => channel === 'stable' && isLatest)?.version ?? null
}
