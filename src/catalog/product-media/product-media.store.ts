import { orderedChildStore } from '../product-child/product-child.store.ts'
import type { ProductMediaFields } from './product-media.rules.ts'

export const productMediaStore = orderedChildStore<ProductMediaFields>({
  name: 'product_media',
  columns: {
    kind: ['kind', 'text'],
    mediaId: ['media_id', 'uuid'],
    url: ['url', 'text'],
    alt: ['alt', 'text'],
    caption: ['caption', 'text'],
    posterMediaId: ['poster_media_id', 'uuid'],
  },
})
