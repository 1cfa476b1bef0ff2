import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Amount } from '../amount.schema.ts'
import { meterNames } from '../meters/meter.rules.ts'
import { planNames } from './plan-limit.rules.ts'

const MaxAmount = Nullable(Amount, 'For a month, or at any time for what is stored. Null: no limit.')

const PlanAnswer = Type.Object(
  {
    plan: StringEnum(planNames),
    meters: Type.Object(Object.fromEntries(meterNames.map((meter) => [meter, MaxAmount])), {
      additionalProperties: false,
    }),
  },
  { title: 'PlanLimits', additionalProperties: false },
)

export const PlanDetail = StrictObject({ plan: PlanAnswer })
export const PlanList = StrictObject({ plans: Type.Array(PlanAnswer) })

export const PlanChange = StrictObject({
  meters: Type.Object(Object.fromEntries(meterNames.map((meter) => [meter, Type.Optional(MaxAmount)])), {
    additionalProperties: false,
    minProperties: 1,
    description: 'Meters that are not named keep their limit.',
    examples: [{ meetings: 250, documents: null }],
  }),
})
