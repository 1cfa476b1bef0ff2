import { limitNames } from '../../kernel/quota.ts'
import { Day, Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { limitEffects, limitedNames } from '../meters/meter.rules.ts'
import { SubjectQuery } from '../usage-subject.ts'
import { quotaSources } from './quota.rules.ts'

export const QuotaQuery = StrictObject(SubjectQuery)

const amount = (example: number) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [example] })

const Window = Type.Object(
  { from: Day, to: { ...Day, description: 'The first day after the window.' }, kind: StringEnum(['month', 'day']) },
  { title: 'UsageWindow', additionalProperties: false },
)

const QuotaAnswer = Type.Object(
  {
    meter: StringEnum([...limitedNames, ...limitNames], {
      description: 'A meter, or a limit that is stored with the tenant.',
    }),
    unit: Type.String({ examples: ['meetings'] }),
    window: Nullable(Window, 'In UTC. Null: as much as there is now.'),
    used: amount(120),
    reserved: { ...amount(0), description: 'For requests to a model that have not been answered.' },
    soft: Nullable(amount(150), 'Shown beside the limit. Nothing happens there.'),
    limit: Nullable(amount(200), 'Null: none.'),
    remaining: Nullable(amount(80), 'Null where there is no limit.'),
    resetsAt: Nullable(Timestamp, 'When the next window begins.'),
    atLimit: StringEnum(limitEffects, { description: 'What happens at the limit.' }),
    source: Nullable(
      StringEnum(quotaSources),
      'Who has set the limit. OWN: an administrator of the tenant. DEFAULT: the installation.',
    ),
    plan: Nullable(Type.String({ examples: ['STARTER'] }), 'The plan that the limit is from.'),
    forecast: Nullable(
      Type.Object(
        {
          atEnd: { ...amount(210), description: 'The expected amount at the end of the window.' },
          reachesLimitAt: Nullable(Timestamp, 'Null: not in this window.'),
        },
        { title: 'UsageForecast', additionalProperties: false },
      ),
      'From the last 28 days by weekday. Null where the first use in them is less than seven days ago.',
    ),
  },
  { title: 'Quota', additionalProperties: false },
)

export const QuotaListAnswer = StrictObject({ quotas: Type.Array(QuotaAnswer) })
