import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Type } from '../../kernel/type.ts'
import { tag } from '../access.ts'
import { PlanChange, PlanDetail, PlanList } from './plan-limit.schema.ts'
import type { PlanLimitService } from './plan-limit.service.ts'

const params = { plan: Type.String({ description: 'The name of the plan.', examples: ['STARTER'] }) }

export function planLimitRoutes(plans: PlanLimitService): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/usage/plans',
      name: 'listPlanLimits',
      tag,
      summary: 'List the limits of all plans',
      access: admin('VIEWER'),
      answers: { 200: PlanList },
      handle: async ({ platform }) => ok({ plans: await plans.list(platform) }),
    }),
    route({
      method: 'GET',
      path: '/admin/usage/plans/:plan',
      name: 'getPlanLimits',
      tag,
      summary: 'Get the limits of a plan',
      access: admin('VIEWER'),
      params,
      answers: { 200: PlanDetail },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { plan } }) => ok({ plan: await plans.get(platform, plan) }),
    }),
    route({
      method: 'PUT',
      path: '/admin/usage/plans/:plan',
      name: 'updatePlanLimits',
      tag,
      summary: 'Change the limits of a plan',
      description:
        'Applies to the next use of every tenant with the plan. The limit of `modelTokens` in a day is a tenth of that in a month.',
      access: admin('OWNER'),
      params,
      body: PlanChange,
      answers: { 200: PlanDetail },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { plan }, body }) =>
        ok({ plan: await plans.update(platform, plan, body.meters) }),
    }),
  ]
}
