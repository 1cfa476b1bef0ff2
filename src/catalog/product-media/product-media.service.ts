import type { MediaLibrary } from '../../content/index.ts'
import { refuseFields } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { fileRule } from '../file-rule.ts'
import { endOfList, type Ordered } from '../product-child/product-child.rules.ts'
import {
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import { type ProductMediaFields, productMediaDefaults, productMediaFaults } from './product-media.rules.ts'
import type { NewProductMedia, ProductMediaChange } from './product-media.schema.ts'
import { productMediaStore } from './product-media.store.ts'

export type ProductMediaDeps = ProductChildDeps & {
  /** Tells the media library which files the product uses now. */
  updateMediaUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
  media: Pick<MediaLibrary, 'find'>
}

type Kind = ProductChildKind<Ordered<ProductMediaFields>, ProductMediaChange, NewProductMedia>

export function productMediaService({ updateMediaUses, media, ...deps }: ProductMediaDeps) {
  const kind: Kind = {
    auditName: 'product-media',
    store: productMediaStore,
    positions: productMediaStore,
    defaults: () => ({ ...productMediaDefaults, order: endOfList }),
    rules: (sent, isNew, { platform }) => [
      () => refuseFields(productMediaFaults(isNew ? { ...productMediaDefaults, ...sent } : sent)),
      fileRule(platform, media, { path: '/body/mediaId', id: sent.mediaId }),
      fileRule(platform, media, { path: '/body/posterMediaId', id: sent.posterMediaId }),
    ],
    validate: async (_, { after }) => {
      refuseFields(productMediaFaults(after))
      return after
    },
    afterWrite: (tx, { product }) => updateMediaUses(tx, product),
  }
  return productChildService(deps, kind)
}
