import type { Route } from '../../http/route.ts'
import { orderedChangeDescription, productChildRoutes } from '../product-child/product-child.routes.ts'
import type { ProductChildDeps } from '../product-child/product-child.service.ts'
import { publicChildView } from '../product-child/product-child.view.ts'
import { NewPlan, PlanAnswer, PlanChange } from './plan.schema.ts'
import { planService } from './plan.service.ts'

export function planRoutes(deps: ProductChildDeps): Route[] {
  return productChildRoutes({
    names: {
      path: 'plans',
      one: 'plan',
      many: 'plans',
      operation: 'ProductPlan',
      operations: 'ProductPlans',
      title: 'plan',
    },
    schemas: { new: NewPlan, change: PlanChange, line: PlanAnswer, child: PlanAnswer },
    descriptions: {
      create: 'A plan only describes what is for sale. What a license allows is set when it is issued.',
      update: orderedChangeDescription,
    },
    refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
    service: planService(deps),
    lineViews: async (_, plans) => plans.map(publicChildView),
    view: async (_, plan) => publicChildView(plan),
  })
}
