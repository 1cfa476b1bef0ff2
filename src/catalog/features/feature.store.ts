import { orderedChildStore } from '../product-child/product-child.store.ts'
import type { FeatureFields } from './feature.rules.ts'

export const featureStore = orderedChildStore<FeatureFields>({
  name: 'product_features',
  columns: {
    slug: ['slug', 'text'],
    title: ['title', 'text'],
    description: ['description', 'text'],
    icon: ['icon', 'text'],
    group: ['group_name', 'text'],
    isHighlighted: ['is_highlighted', 'boolean'],
    availability: ['availability', 'jsonb'],
  },
})
