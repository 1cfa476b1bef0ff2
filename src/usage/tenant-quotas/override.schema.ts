import type { Static } from 'typebox'
import { Nullable, SingleLine, StrictObject, StringEnum, Timestamp, TimestampInput } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Amount, amountMax } from '../amount.schema.ts'
import { limitEffects, limitedNames } from '../meters/meter.rules.ts'

const Reason = SingleLine({
  lettersMax: 500,
  example: 'Agreed for the product launch',
  description: 'Recorded in the audit log.',
})
const soft = Nullable(Amount, 'Shown beside the limit. Nothing happens there. Null: none.')
const hard = Nullable(Amount, 'The limit instead of that of the plan. Null: no limit. Absent: the limit of the plan.')
const atLimit = Nullable(
  StringEnum(limitEffects),
  'REFUSE: 429 `USAGE_EXCEEDED`. FALL_BACK: the local engine works instead of the language model. TELL: only notices are sent. Null: the default of the meter.',
)

/** An override, or a grant: which members go together is checked by the rules. */
export const QuotaChange = StrictObject({
  soft: Type.Optional(soft),
  hard: Type.Optional(hard),
  atLimit: Type.Optional(atLimit),
  until: Type.Optional(Nullable(TimestampInput, 'A time in the future. Null or absent: until it is deleted.')),
  grant: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: amountMax,
      examples: [50],
      description: 'Added to the current limit, in this window only. Cannot be combined with the other members.',
    }),
  ),
  reason: Reason,
})
export type QuotaChange = Static<typeof QuotaChange>

const OverrideAnswer = StrictObject({
  soft,
  hard,
  isPlanLimit: Type.Boolean({
    description: 'Whether the limit of the plan holds; `hard` is then null.',
    examples: [false],
  }),
  atLimit,
  until: Nullable(Timestamp, 'Null: until it is deleted.'),
  reason: Reason,
})

export const QuotaDetail = StrictObject({
  quota: Type.Object(
    {
      meter: StringEnum(limitedNames),
      override: Nullable(OverrideAnswer, 'Null: the plan decides.'),
      granted: Type.Integer({ description: 'The sum of the grants in the current window.', examples: [0] }),
    },
    { title: 'SetQuota', additionalProperties: false },
  ),
})
