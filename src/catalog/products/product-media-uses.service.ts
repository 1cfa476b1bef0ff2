import type { MediaLibrary } from '../../content/index.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { productMediaStore } from '../product-media/product-media.store.ts'
import { getProduct } from './product.store.ts'

/** Tells the media library which files a product uses now. Refuses VALIDATION_ERROR for an unknown file. */
export function mediaUsesUpdater(media: MediaLibrary) {
  return async (tx: PlatformScope, { id, slug }: { id: string; slug: string }): Promise<void> => {
    const { description, iconMediaId, coverMediaId, seo } = await getProduct(tx, id)
    const pictures = await productMediaStore.listByProducts(tx, [id])
    const ids = [
      iconMediaId,
      coverMediaId,
      seo.imageId,
      ...pictures.flatMap(({ mediaId, posterMediaId }) => [mediaId, posterMediaId]),
    ].filter((mediaId) => mediaId !== null)
    await media.setUses(tx, { kind: 'product', id, label: slug, texts: description }, [...new Set(ids)])
  }
}
