import { recordStore } from '../records/record.store.ts'
import type { PlanFields } from './plan.rules.ts'

export const planStore = recordStore<PlanFields>({
  name: 'product_plans',
  terms: {
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
