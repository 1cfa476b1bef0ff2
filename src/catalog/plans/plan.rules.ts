import type { Fitting } from '../../kernel/field-rules.ts'
import { type FieldError, refuseFields } from '../../kernel/refusal.ts'

export const planIntervals = ['month', 'year', 'once'] as const

export type PlanFields = {
  code: string
  name: string
  description: string
  /** In hundredths of the currency unit. Null: on request. */
  priceCents: number | null
  /** ISO 4217. */
  currency: string | null
  interval: (typeof planIntervals)[number] | null
  /** Null: unlimited. */
  maxUses: number | null
  trialDays: number | null
  features: string[]
  isPopular: boolean
  cta: { label: string; url: string } | null
  isActive: boolean
}

export const planDefaults = {
  description: '',
  priceCents: null,
  currency: null,
  interval: null,
  maxUses: null,
  trialDays: null,
  features: [],
  isPopular: false,
  cta: null,
  isActive: true,
}

/** In any letter case, and with spaces or hyphens in place of underscores. */
function normalizeCode(sent: string): string {
  return sent.trim().toUpperCase().replace(/[ -]+/g, '_')
}

type PriceAndCode = Pick<PlanFields, 'code' | 'currency' | 'priceCents'>

/** All faults of a plan, or of the members of one that are given. */
export function planFaults({ code, currency, priceCents }: Fitting<PriceAndCode>): FieldError[] {
  const faults: FieldError[] = []
  if (code !== undefined && !/^[A-Z][A-Z0-9_]{0,31}$/.test(normalizeCode(code)))
    faults.push({
      path: '/body/code',
      code: 'pattern',
      message: 'must be TRIAL, STARTER, PRO, ENTERPRISE or another word of up to 32 letters, digits and underscores',
    })
  if (typeof currency === 'string' && !Intl.supportedValuesOf('currency').includes(currency.toUpperCase()))
    faults.push({ path: '/body/currency', code: 'enum', message: 'must be an ISO 4217 currency code, such as EUR' })
  if (typeof priceCents === 'number' && currency === null)
    faults.push({ path: '/body/currency', code: 'required', message: 'is required with a price' })
  return faults
}

/** The plan with its code and currency in their usual form. Refuses VALIDATION_ERROR with all its faults. */
export function normalizePlan<Plan extends PlanFields>(plan: Plan): Plan {
  refuseFields(planFaults(plan))
  return { ...plan, code: normalizeCode(plan.code), currency: plan.currency?.toUpperCase() ?? null }
}
