import type { Static } from 'typebox'
import { Id, Nullable, SingleLine, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { OrderAnswer, OrderInput } from '../product-child/product-child.schema.ts'
import { LinkTarget, MultilineText } from '../texts.schema.ts'
import { planIntervals } from './plan.rules.ts'

const integerMax = 2_147_483_647

const Code = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'TRIAL, STARTER, PRO, ENTERPRISE or a word of your own, in any letter case. Unique in the product.',
  examples: ['PRO'],
})
const Name = SingleLine({ lettersMax: 80, example: 'Pro' })
const Description = MultilineText({ lettersMax: 2000, example: 'Unlimited connections.' })
const PriceCents = Type.Integer({ minimum: 0, maximum: integerMax, examples: [1900] })
const priceNote = 'In hundredths of the currency unit. null: on request.'
const Currency = Type.String({
  pattern: '^[A-Za-z]{3}$',
  description: 'ISO 4217. Required with a price.',
  examples: ['EUR'],
})
const Interval = StringEnum(planIntervals, { description: 'How often the price is paid.' })
const MaxUses = Type.Integer({ minimum: 0, maximum: integerMax, examples: [100] })
const TrialDays = Type.Integer({ minimum: 0, maximum: 3650, examples: [14] })
const Points = Type.Array(SingleLine({ lettersMax: 200, example: 'Unlimited connections' }), {
  maxItems: 50,
  description: 'The lines of the plan in a price table.',
})
const CallToAction = StrictObject({ label: SingleLine({ lettersMax: 64, example: 'Buy' }), url: LinkTarget })

const terms = {
  description: Type.Optional(Nullable(Description)),
  priceCents: Type.Optional(Nullable(PriceCents, priceNote)),
  currency: Type.Optional(Nullable(Currency)),
  interval: Type.Optional(Nullable(Interval)),
  maxUses: Type.Optional(Nullable(MaxUses, 'How many uses a license of the plan has. null: unlimited.')),
  trialDays: Type.Optional(Nullable(TrialDays)),
  features: Type.Optional(Nullable(Points)),
  isPopular: Type.Optional(Type.Boolean({ examples: [true] })),
  cta: Type.Optional(Nullable(CallToAction, 'The button of the plan.')),
  isActive: Type.Optional(Type.Boolean({ description: 'Only active plans are public.', examples: [true] })),
  order: Type.Optional(OrderInput),
}

export const NewPlan = StrictObject({ code: Code, name: Name, ...terms })
export type NewPlan = Static<typeof NewPlan>
export const PlanChange = Type.Object(
  { code: Type.Optional(Code), name: Type.Optional(Name), ...terms },
  { additionalProperties: false, examples: [{ priceCents: 2900, currency: 'EUR', interval: 'month' }] },
)
export type PlanChange = Static<typeof PlanChange>

export const PlanAnswer = Type.Object(
  {
    id: Id,
    code: Code,
    name: Name,
    description: Description,
    priceCents: Nullable(PriceCents, priceNote),
    currency: Nullable(Currency),
    interval: Nullable(Interval),
    maxUses: Nullable(MaxUses, 'null: unlimited.'),
    trialDays: Nullable(TrialDays),
    features: Points,
    isPopular: Type.Boolean({ examples: [true] }),
    cta: Nullable(CallToAction),
    isActive: Type.Boolean({ examples: [true] }),
    order: OrderAnswer,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'ProductPlan' },
)
export type PlanAnswer = Static<typeof PlanAnswer>
