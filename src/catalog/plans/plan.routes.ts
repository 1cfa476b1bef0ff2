import type { Route } from '../../http/route.ts'
import type { Stored } from '../records/record.rules.ts'
import { type RecordDeps, type RecordKind, recordService } from '../records/record.service.ts'
import { changeDescription, recordRoutes } from '../revised/revised.routes.ts'
import {
  normalizeCurrency,
  normalizePlanCode,
  type PlanFields,
  planDefaults,
  refusePriceWithoutCurrency,
} from './plan.rules.ts'
import { NewPlan, PlanAnswer, PlanChange } from './plan.schema.ts'
import { planStore } from './plan.store.ts'

export const planKind: RecordKind<PlanFields, PlanChange> = {
  noun: 'plan',
  store: planStore,
  unique: 'code',
  read: (sent, before) => {
    const kept = before ?? { code: '', name: '', ...planDefaults }
    const given = <Name extends keyof PlanFields & keyof PlanChange>(name: Name, none: PlanFields[Name]) =>
      sent[name] === undefined ? kept[name] : ((sent[name] ?? none) as PlanFields[Name])
    const terms: PlanFields = {
      code: sent.code === undefined ? kept.code : normalizePlanCode(sent.code),
      name: sent.name ?? kept.name,
      description: given('description', ''),
      priceCents: given('priceCents', null),
      currency: typeof sent.currency === 'string' ? normalizeCurrency(sent.currency) : given('currency', null),
      interval: given('interval', null),
      maxUses: given('maxUses', null),
      trialDays: given('trialDays', null),
      features: given('features', []),
      isPopular: sent.isPopular ?? kept.isPopular,
      cta: given('cta', null),
      isActive: sent.isActive ?? kept.isActive,
    }
    refusePriceWithoutCurrency(terms)
    return terms
  },
}

export function planRoutes(deps: RecordDeps): Route[] {
  return recordRoutes({
    words: {
      ...{ path: 'plans', one: 'plan', many: 'plans', title: 'plan' },
      ...{ operation: 'ProductPlan', operations: 'ProductPlans' },
    },
    schemas: { new: NewPlan, change: PlanChange, line: PlanAnswer, whole: PlanAnswer },
    descriptions: {
      create: 'What a license allows is decided when it is issued; this is what the catalog says of it.',
      update: changeDescription,
    },
    refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
    service: recordService(planKind, deps),
    lineOf: async (_, plans) => plans.map(planView),
    wholeOf: async (_, plan) => planView(plan),
  })
}

/** A plan as the catalog shows it. */
export function planView(plan: Stored<PlanFields>): PlanAnswer {
  const { productId: _, revision, createdAt, updatedAt, ...shown } = plan
  return { ...shown, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
