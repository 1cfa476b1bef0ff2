import type { MediaLibrary } from '../../content/index.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { getProduct } from '../products/product.store.ts'
import { productMediaStore } from './product-media.store.ts'

/** Tells the media library which files a product uses now. Refuses VALIDATION_ERROR for one that is not there. */
export function usesKeeper(media: MediaLibrary) {
  return async (tx: PlatformScope, { id, slug }: { id: string; slug: string }): Promise<void> => {
    const { description, iconMediaId, coverMediaId, seo } = await getProduct(tx, id)
    const shown = await productMediaStore.listOf(tx, [id])
    const ids = [
      ...[iconMediaId, coverMediaId, seo.imageId],
      ...shown.flatMap(({ mediaId, posterMediaId }) => [mediaId, posterMediaId]),
    ].filter((mediaId) => mediaId !== null)
    await media.setUses(tx, { kind: 'product', id, label: slug, texts: description }, [...new Set(ids)])
  }
}
