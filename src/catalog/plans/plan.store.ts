import { orderedChildStore } from '../product-child/product-child.store.ts'
import type { PlanFields } from './plan.rules.ts'

export const planStore = orderedChildStore<PlanFields>({
  name: 'product_plans',
  columns: {
    code: ['code', 'text'],
    name: ['name', 'text'],
    description: ['description', 'text'],
    priceCents: ['price_cents', 'integer'],
    currency: ['currency', 'text'],
    interval: ['"interval"', 'text'],
    maxUses: ['max_uses', 'integer'],
    trialDays: ['trial_days', 'integer'],
    features: ['features', 'text[]'],
    isPopular: ['is_popular', 'boolean'],
    cta: ['cta', 'jsonb'],
    isActive: ['is_active', 'boolean'],
  },
})
