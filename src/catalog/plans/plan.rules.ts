import { invalidField } from '../../kernel/refusal.ts'

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

/** Accepts any letter case, and spaces or hyphens in place of underscores. Refuses VALIDATION_ERROR. */
function normalizePlanCode(sent: string): string {
  const code = sent.trim().toUpperCase().replace(/[ -]+/g, '_')
  if (/^[A-Z][A-Z0-9_]{0,31}$/.test(code)) return code
  throw invalidField('/body/code', {
    code: 'pattern',
    message: 'must be TRIAL, STARTER, PRO, ENTERPRISE or another word of up to 32 letters, digits and underscores',
  })
}

/** Accepts any letter case. Refuses VALIDATION_ERROR for a currency that ISO 4217 does not list. */
function normalizeCurrency(sent: string): string {
  const currency = sent.toUpperCase()
  if (Intl.supportedValuesOf('currency').includes(currency)) return currency
  throw invalidField('/body/currency', { code: 'enum', message: 'must be an ISO 4217 currency code, such as EUR' })
}

/** The plan with its code and currency in their usual form. Refuses VALIDATION_ERROR, also for a price without a currency. */
export function normalizePlan<Plan extends PlanFields>(plan: Plan): Plan {
  const code = normalizePlanCode(plan.code)
  const currency = plan.currency === null ? null : normalizeCurrency(plan.currency)
  if (plan.priceCents !== null && currency === null)
    throw invalidField('/body/currency', { code: 'required', message: 'is required with a price' })
  return { ...plan, code, currency }
}
