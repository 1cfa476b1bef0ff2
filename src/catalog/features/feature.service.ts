import type { PlatformScope } from '../../storage/scope.ts'
import { endOfList, nameTaken, type Ordered, type ProductChildKey } from '../product-child/product-child.rules.ts'
import {
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import { type FeatureFields, featureDefaults, slugFromTitle } from './feature.rules.ts'
import type { FeatureChange, NewFeature } from './feature.schema.ts'
import { featureStore } from './feature.store.ts'

/** Stands for a slug that is still to be made from the title. */
const noSlug = ''

const featureKind: ProductChildKind<Ordered<FeatureFields>, FeatureChange, NewFeature> = {
  auditName: 'product-feature',
  store: featureStore,
  positions: featureStore,
  defaults: () => ({ ...featureDefaults, slug: noSlug, order: endOfList }),
  validate: async (tx, { after }) =>
    after.slug === noSlug ? { ...after, slug: await findFreeSlug(tx, after, after.title) } : after,
  unique: { field: 'slug', taken: nameTaken('feature', 'slug') },
}

export function featureService(deps: ProductChildDeps) {
  return productChildService(deps, featureKind)
}

/** Ends: a product has a limited number of features. */
async function findFreeSlug(tx: PlatformScope, key: ProductChildKey, title: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const slug = slugFromTitle(title, attempt)
    if (!(await featureStore.isTaken(tx, key, ['slug', slug]))) return slug
  }
}
