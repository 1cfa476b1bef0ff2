import { FormatQuery } from '../../http/csv-answer.ts'
import { Day, Id, Nullable, PeriodQuery, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { meters, usedMeters } from '../meters/meter.rules.ts'
import { SubjectQuery } from '../usage-subject.ts'
import { groupNames } from './reading.rules.ts'

const amount = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

export const UsageQuery = StrictObject({
  ...SubjectQuery,
  meter: Type.Optional(StringEnum(usedMeters, { description: 'Absent: all.' })),
  ...PeriodQuery,
  groupBy: Type.Optional(StringEnum(groupNames, { description: 'Absent: `day`.' })),
  format: FormatQuery,
})

const Groups = {
  day: Day,
  week: { ...Day, description: 'The Monday.' },
  month: { ...Day, description: 'The first day.' },
  org: Nullable(Id, 'Null: uses outside of organizations.'),
  user: Nullable(Id, 'Null: uses of nobody, or of somebody who was removed.'),
  engine: Nullable(StringEnum(['local', 'llm']), 'Null: uses without an engine.'),
}

export const UsageAnswer = StrictObject({
  from: Day,
  to: Day,
  usage: Type.Array(
    Type.Object(
      {
        ...Object.fromEntries(Object.entries(Groups).map(([name, schema]) => [name, Type.Optional(schema)])),
        meter: StringEnum(usedMeters),
        amount: Type.Integer({ ...amount, examples: [42] }),
      },
      { title: 'MeterUsage', additionalProperties: false },
    ),
    { description: 'Each has the member that `groupBy` names. Amounts of 0 are left out.' },
  ),
  totals: Type.Object(
    Object.fromEntries(
      usedMeters.map((name) => [
        name,
        Type.Optional(Type.Integer({ ...amount, description: `In ${meters[name].unit}.`, examples: [42] })),
      ]),
    ),
    { title: 'MeterTotals', additionalProperties: false, description: 'By meter.' },
  ),
})
