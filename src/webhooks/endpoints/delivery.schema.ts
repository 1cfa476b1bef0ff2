import {
  Id,
  isoOrNull,
  Nullable,
  OwnerOnly,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type Delivery, deliveryStatuses } from '../attempts/delivery.rules.ts'
import { results } from '../attempts/retry.rules.ts'
import { eventTypeNames } from '../event-types/event-types.ts'

export const TestEvent = StrictObject({
  eventType: Type.Optional(
    StringEnum(eventTypeNames, { description: 'The event carries the data of its example. Default: `webhook.test`.' }),
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
        'STATUS: the response is not 2xx. REDIRECT: the response is 3xx; redirects are not followed. NAME: the host name has no address. ADDRESS: the host name has an address that is not public. CERTIFICATE: the certificate is not trusted, is for another name, or has expired. TLS: the encrypted connection failed for another reason. ANSWER: the response is not valid HTTP.',
    }),
    statusCode: Nullable(Type.Integer({ examples: [204] }), 'Null: there was no response.'),
    answer: OwnerOnly(
      Type.String({ examples: ['ok'] }),
      'The first 1,024 characters of the response body. Null for administrators of the platform below OWNER, because a receiver may write anything into it.',
    ),
  },
  { title: 'WebhookAttempt' },
)

const DeliveryView = Type.Object(
  {
    messageId: Type.String({
      format: 'uuid',
      description: 'The `webhook-id` header, the same in all attempts.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
    eventType: Type.String({ examples: ['license.issued'] }),
    status: StringEnum(deliveryStatuses, {
      description: 'FAILED: there is no further attempt unless you resend or recover it.',
    }),
    attempts: Type.Integer({ examples: [1] }),
    nextAttemptAt: Nullable(Timestamp),
    createdAt: Timestamp,
    tries: Type.Array(AttemptView, { description: 'The last ten attempts, newest first.' }),
  },
  { title: 'WebhookDelivery' },
)

export const DeliveryDetail = StrictObject({ delivery: DeliveryView })
export const DeliveryList = StrictObject({ deliveries: Type.Array(DeliveryView), pagination: PaginationSchema })
export const Recovered = StrictObject({
  endpointId: Id,
  recovered: Type.Integer({ description: 'How many will be sent again: at most 500 per call.', examples: [12] }),
  remaining: Type.Integer({ description: 'Failed deliveries that are left for another call.', examples: [0] }),
})

export function deliveryView({ nextAttemptAt, createdAt, tries, ...delivery }: Delivery) {
  return {
    ...delivery,
    nextAttemptAt: isoOrNull(nextAttemptAt),
    createdAt: createdAt.toISOString(),
    tries: tries.map((attempt) => ({ ...attempt, startedAt: new Date(attempt.startedAt).toISOString() })),
  }
}
