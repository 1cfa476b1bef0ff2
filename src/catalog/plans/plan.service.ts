import { refuseFields } from '../../kernel/refusal.ts'
import { endOfList, nameTaken, type Ordered } from '../product-child/product-child.rules.ts'
import {
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import { normalizePlan, type PlanFields, planDefaults, planFaults } from './plan.rules.ts'
import type { NewPlan, PlanChange } from './plan.schema.ts'
import { planStore } from './plan.store.ts'

const planKind: ProductChildKind<Ordered<PlanFields>, PlanChange, NewPlan> = {
  auditName: 'product-plan',
  store: planStore,
  positions: planStore,
  defaults: () => ({ ...planDefaults, order: endOfList }),
  rules: (sent, isNew) => [() => refuseFields(planFaults(isNew ? { currency: null, ...sent } : sent))],
  validate: async (_, { after }) => normalizePlan(after),
  unique: { field: 'code', taken: nameTaken('plan', 'code') },
}

export function planService(deps: ProductChildDeps) {
  return productChildService(deps, planKind)
}
