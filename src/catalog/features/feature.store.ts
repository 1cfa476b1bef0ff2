import { recordStore } from '../records/record.store.ts'
import type { FeatureTerms } from './feature.rules.ts'

export const featureStore = recordStore<FeatureTerms>({
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
