import { recordStore } from '../records/record.store.ts'
import type { FeatureFields } from './feature.rules.ts'

export const featureStore = recordStore<FeatureFields>({
  name: 'product_features',
  terms: {
    slug: ['slug', 'text'],
    title: ['title', 'text'],
    description: ['description', 'text'],
    icon: ['icon', 'text'],
    group: ['group_name', 'text'],
    isHighlighted: ['is_highlighted', 'boolean'],
    availability: ['availability', 'jsonb'],
  },
})
