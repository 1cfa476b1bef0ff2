import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { eventTypeNames } from '../events/event-types.ts'
import { type Delivery, deliveryStatuses } from './delivery.rules.ts'
import { results } from './retry.rules.ts'

export const TestEvent = StrictObject({
  eventType: Type.Optional(
    StringEnum(eventTypeNames, { description: 'With the data of its example; absent: `webhook.test`.' }),
  ),
})

export const DeliveryQuery = StrictObject({ ...PageQuery, status: Type.Optional(StringEnum(deliveryStatuses)) })

export const RecoveryAsk = StrictObject({ since: TimestampInput })

const AttemptView = Type.Object(
  {
    number: Type.Integer({ examples: [1] }),
    startedAt: Timestamp,
    durationMs: Type.Integer({ examples: [84] }),
    result: StringEnum(results, {
      description:
        'STATUS: an answer that is no 2xx. REDIRECT: one that is 3xx; it is not followed. NAME: it has no address. ADDRESS: it leads to one that is not public. CERTIFICATE: nobody we trust vouches for it, it is of another name, or its time is over. TLS: no encrypted connection for another reason. ANSWER: what came is no HTTP answer.',
    }),
    statusCode: Nullable(Type.Integer({ examples: [204] }), 'Null: there was no answer.'),
    answer: Nullable(Type.String({ examples: ['ok'] }), 'The first 1,024 characters of its body.'),
  },
  { title: 'WebhookAttempt' },
)

const DeliveryView = Type.Object(
  {
    messageId: Type.String({
      format: 'uuid',
      description: 'The `webhook-id` of all tries.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
    eventType: Type.String({ examples: ['license.issued'] }),
    status: StringEnum(deliveryStatuses, { description: 'FAILED: there will be no other try unless you ask.' }),
    attempts: Type.Integer({ examples: [1] }),
    nextAttemptAt: Nullable(Timestamp),
    createdAt: Timestamp,
    tries: Type.Array(AttemptView, { description: 'The last ten, newest first.' }),
  },
  { title: 'WebhookDelivery' },
)

export const DeliveryDetail = StrictObject({ delivery: DeliveryView })
export const DeliveryList = StrictObject({ deliveries: Type.Array(DeliveryView), pagination: PaginationSchema })
export const Recovered = StrictObject({
  endpointId: Id,
  recovered: Type.Integer({ description: 'At most 500 a call.', examples: [12] }),
  remaining: Type.Integer({ description: 'Failed ones that another call recovers.', examples: [0] }),
})

export function deliveryView({ nextAttemptAt, createdAt, tries, ...delivery }: Delivery) {
  return {
    ...delivery,
    nextAttemptAt: isoOrNull(nextAttemptAt),
    createdAt: createdAt.toISOString(),
    tries: tries.map((attempt) => ({ ...attempt, startedAt: new Date(attempt.startedAt).toISOString() })),
  }
}
