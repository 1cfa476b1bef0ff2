import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { limitedNames } from '../meters/meter.rules.ts'

const meterText = 'A meter, or `modelTokensPerDay`.'

const Percents = Type.Array(Type.Integer({ minimum: 1, maximum: 200, examples: [80] }), {
  maxItems: 5,
  uniqueItems: true,
  examples: [[50, 80, 100]],
  description: 'Percentages of a limit. Empty: no notices.',
})

const ThresholdAnswer = Type.Object(
  {
    meter: Nullable(StringEnum(limitedNames), `${meterText} Null: all that are not in the list.`),
    percents: Percents,
  },
  { title: 'UsageThresholds', additionalProperties: false },
)

export const ThresholdList = StrictObject({ thresholds: Type.Array(ThresholdAnswer) })

export const ThresholdChange = StrictObject({
  meter: Type.Optional(
    StringEnum(limitedNames, { description: `${meterText} Absent: all that have none of their own.` }),
  ),
  percents: Nullable(
    Percents,
    'Percentages of a limit, ascending. Empty: no notices. Null: the same as for all other meters, or 80 and 100 if no `meter` is given.',
  ),
})
export type ThresholdChange = Static<typeof ThresholdChange>
