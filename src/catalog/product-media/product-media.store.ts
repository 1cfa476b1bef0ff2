import { recordStore } from '../records/record.store.ts'
import type { ProductMediaFields } from './product-media.rules.ts'

export const productMediaStore = recordStore<ProductMediaFields>({
  name: 'product_media',
  terms: {
    kind: ['kind', 'text'],
    mediaId: ['media_id', 'uuid'],
    url: ['url', 'text'],
    alt: ['alt', 'text'],
    caption: ['caption', 'text'],
    posterMediaId: ['poster_media_id', 'uuid'],
  },
})
