import type { MediaLibrary, MediaLine } from '../../content/index.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { PublicDownload } from '../downloads/download.schema.ts'
import { featureView } from '../features/feature.routes.ts'
import { featureStore } from '../features/feature.store.ts'
import { planView } from '../plans/plan.routes.ts'
import { planStore } from '../plans/plan.store.ts'
import { mediaIdsOf, pictureView, productMediaView } from '../product-media/product-media.routes.ts'
import { productMediaStore } from '../product-media/product-media.store.ts'
import type { Stored } from '../records/record.rules.ts'
import type { PublicVersion } from '../versions/version.schema.ts'
import type { Product } from './product.rules.ts'
import type { DocLine, ProductAnswer } from './product.schema.ts'
import type { ProductPart } from './product-part.ts'

/** What other parts of the catalog add to a product. */
export type ProductParts = {
  versions: ProductPart<PublicVersion>
  downloads: ProductPart<PublicDownload>
  docs: ProductPart<DocLine>
}

/** `PUBLIC` shows no plan that is not active and no slug of a draft. */
export type Audience = 'PUBLIC' | 'ADMIN'

export type ProductViews = (
  platform: PlatformScope,
  products: Product[],
  audience: Audience,
) => Promise<ProductAnswer[]>

/** Products with all that belongs to them, in one question for each kind of it, however many products they are. */
export function productViews({ parts, media }: { parts: ProductParts; media: MediaLibrary }): ProductViews {
  return async (platform, products, audience) => {
    if (products.length === 0) return []
    const ids = products.map(({ id }) => id)
    // One after the other: inside of a transaction there is one connection.
    const features = byProduct(await featureStore.listOf(platform, ids))
    const plans = byProduct(await planStore.listOf(platform, ids))
    const pictures = byProduct(await productMediaStore.listOf(platform, ids))
    const versions = await parts.versions(platform, ids)
    const downloads = await parts.downloads(platform, ids)
    const docs = await parts.docs(platform, ids)
    const files = await filesOf(platform, { products, media, shown: [...pictures.values()].flat() })
    return products.map((product) => ({
      ...linesOf(product, audience),
      icon: pictureView(files.get(product.iconMediaId ?? '')),
      cover: pictureView(files.get(product.coverMediaId ?? '')),
      features: (features.get(product.id) ?? []).map(featureView),
      plans: (plans.get(product.id) ?? []).filter(({ isActive }) => isActive || audience === 'ADMIN').map(planView),
      media: (pictures.get(product.id) ?? []).map((record) => productMediaView(record, files)),
      downloads: downloads.get(product.id) ?? [],
      versions: versions.get(product.id) ?? [],
      latestVersion: latestOf(versions.get(product.id) ?? []),
      docs: docs.get(product.id) ?? [],
    }))
  }
}

function linesOf(product: Product, audience: Audience) {
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

function byProduct<Terms>(records: Stored<Terms>[]): Map<string, Stored<Terms>[]> {
  return Map.groupBy(records, ({ productId }) => productId)
}

function filesOf(
  platform: PlatformScope,
  { products, media, shown }: { products: Product[]; media: MediaLibrary; shown: Parameters<typeof mediaIdsOf>[0] },
): Promise<Map<string, MediaLine>> {
  const own = products.flatMap(({ iconMediaId, coverMediaId }) => [iconMediaId, coverMediaId])
  const ids = [...new Set([...own.filter((id) => id !== null), ...mediaIdsOf(shown)])]
  return ids.length === 0 ? Promise.resolve(new Map()) : media.find(platform, ids)
}

/** Versions say of themselves which is the newest of its channel. */
function latestOf(versions: PublicVersion[]): string | null {
  return versions.find(({ channel, isLatest }) => channel === 'stable' && isLatest)?.version ?? null
}
