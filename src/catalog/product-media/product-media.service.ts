import type { PlatformScope } from '../../storage/scope.ts'
import { endOfList, type Ordered } from '../product-child/product-child.rules.ts'
import {
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import { type ProductMediaFields, productMediaDefaults, refuseIncompleteMedia } from './product-media.rules.ts'
import type { NewProductMedia, ProductMediaChange } from './product-media.schema.ts'
import { productMediaStore } from './product-media.store.ts'

export type ProductMediaDeps = ProductChildDeps & {
  /** Tells the media library which files the product uses now. */
  updateMediaUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
}

type Kind = ProductChildKind<Ordered<ProductMediaFields>, ProductMediaChange, NewProductMedia>

export function productMediaService({ updateMediaUses, ...deps }: ProductMediaDeps) {
  const kind: Kind = {
    auditName: 'product-media',
    store: productMediaStore,
    positions: productMediaStore,
    defaults: () => ({ ...productMediaDefaults, order: endOfList }),
    validate: async (_, { after }) => {
      refuseIncompleteMedia(after)
      return after
    },
    afterWrite: (tx, { product }) => updateMediaUses(tx, product),
  }
  return productChildService(deps, kind)
}
