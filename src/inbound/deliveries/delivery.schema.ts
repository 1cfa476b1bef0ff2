import type { Static } from 'typebox'
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
import { schemeNames } from '../scheme.ts'
import { type Delivery, deliveryKinds, deliveryStatuses, replayedStatuses } from './delivery.rules.ts'
import { causes } from './rejection-causes.ts'

export const ReceivedAnswer = StrictObject({
  status: StringEnum(['accepted', 'duplicate'], {
    description: 'accepted: stored, and processed from now on. duplicate: stored before, and not processed again.',
  }),
  deliveryId: Id,
})

const span = {
  connectionId: Type.Optional(Id),
  from: Type.Optional({ ...TimestampInput, description: 'Received at this time or later.' }),
  to: Type.Optional({ ...TimestampInput, description: 'Received before this time.' }),
}

export const DeliveryQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(
    StringEnum(deliveryStatuses, {
      description:
        'received and retrying wait to be processed; processed and ignored are done; dead has failed for good; rejected was not accepted.',
    }),
  ),
  ...span,
})

export const replayMax = 500
export const ReplayFilter = Type.Object(
  {
    status: Type.Optional(StringEnum(replayedStatuses, { description: 'Deliveries in this state; by default dead.' })),
    ...span,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: replayMax, default: replayMax, examples: [replayMax] })),
  },
  { additionalProperties: false, examples: [{ status: 'dead' }] },
)
export type ReplayFilter = Static<typeof ReplayFilter>

const EffectAnswer = StrictObject({
  kind: StringEnum(['task', 'answer', 'message']),
  action: StringEnum(['created', 'updated', 'unchanged', 'drafted', 'stored']),
  targetId: Type.String({
    description: 'Its id: of an answer in `/assistant/v1/answers`, of a message in `/assistant/v1/email/messages`.',
    examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
  }),
  status: StringEnum(['DONE', 'PENDING'], {
    description: 'PENDING waits for something that is not connected yet. It is not lost.',
  }),
  reason: Type.Optional(
    Type.String({
      description: 'What a pending effect waits for.',
      examples: ['It is still to be searched for.'],
    }),
  ),
})
const effects = Type.Array(EffectAnswer, { description: 'What processing it changed.' })

const members = {
  id: Id,
  connectionId: Id,
  scheme: { ...StringEnum(schemeNames), examples: ['github'] },
  kind: StringEnum(deliveryKinds, {
    description:
      'One refusal stands for all with the same cause, connection and minute: `duplicates` counts the others.',
  }),
  eventType: Nullable(Type.String({ examples: ['issues.opened'] })),
  entity: Nullable(
    Type.String({ examples: ['acme/web#7'] }),
    'The subject of the delivery. Deliveries about one subject are processed one after another.',
  ),
  status: StringEnum(deliveryStatuses),
  attempts: Type.Integer({ description: 'Since it was received or last replayed.', examples: [1] }),
  cause: Nullable(StringEnum(causes), 'Why it was refused, or why the last attempt failed.'),
  detail: Nullable(Type.String({ examples: ['clock skew 412 s'] })),
  occurredAt: Nullable(Timestamp, 'According to the provider.'),
  receivedAt: Timestamp,
  duplicates: Type.Integer({ description: 'How often it was received again.', examples: [0] }),
  bodyBytes: Type.Integer({ examples: [1204] }),
  hasBody: Type.Boolean({ description: 'It can be replayed as long as its body is kept.', examples: [true] }),
}

const DeliveryAnswer = Type.Object(members, { title: 'InboundDelivery', additionalProperties: false })
export const DeliveryList = StrictObject({ deliveries: Type.Array(DeliveryAnswer), pagination: PaginationSchema })

const DeliveryWithTimeline = Type.Object(
  {
    ...members,
    contentType: Type.String({ examples: ['application/json'] }),
    bodySha256: Type.String({
      description: 'SHA-256 of the body as it was received, in hexadecimal.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Headers that identify the delivery. Never a signature or a credential.',
      examples: [{ 'x-github-event': 'issues' }],
    }),
    effects,
    timeline: Type.Array(
      StrictObject({
        at: Timestamp,
        event: Type.String({ examples: ['received'] }),
        detail: Nullable(Type.String({ examples: ['Attempt 1.'] })),
      }),
      { description: 'The last fifty entries, oldest first.' },
    ),
  },
  { title: 'InboundDeliveryWithTimeline', additionalProperties: false },
)
export const DeliveryDetail = StrictObject({ delivery: DeliveryWithTimeline })

export const SampleResult = StrictObject({
  isVerified: Type.Boolean({ examples: [true] }),
  status: StringEnum(deliveryStatuses, { description: 'The state of the delivery. rejected: it was not accepted.' }),
  deliveryId: Nullable(Id, 'The delivery in the log; null where it was not stored.'),
  cause: Nullable(StringEnum(causes)),
  detail: Nullable(Type.String({ examples: ['The connection is paused.'] })),
  effects,
})

export const ReplayAnswer = StrictObject({
  replayed: Type.Integer({ description: 'How many deliveries now wait to be processed again.', examples: [3] }),
  hasMore: Type.Boolean({ description: 'True where the limit left some out: repeat the request.', examples: [false] }),
})

export function deliveryView(delivery: Delivery): Static<typeof DeliveryAnswer> {
  return {
    id: delivery.id,
    connectionId: delivery.connectionId,
    scheme: delivery.scheme,
    kind: delivery.kind,
    eventType: delivery.eventType,
    entity: delivery.entityKey,
    status: delivery.status,
    attempts: delivery.attempts,
    cause: delivery.cause,
    detail: delivery.detail,
    occurredAt: isoOrNull(delivery.occurredAt),
    receivedAt: delivery.receivedAt.toISOString(),
    duplicates: delivery.duplicates,
    bodyBytes: delivery.bodyBytes,
    hasBody: delivery.hasBody,
  }
}

export function deliveryWithTimeline(delivery: Delivery): Static<typeof DeliveryWithTimeline> {
  return {
    ...deliveryView(delivery),
    contentType: delivery.contentType,
    headers: delivery.headers,
    timeline: delivery.timeline,
    bodySha256: delivery.bodySha256.toString('hex'),
    effects: deliveryEffects(delivery),
  }
}

export function deliveryEffects({ outcome }: Delivery) {
  return outcome?.kind === 'processed' ? outcome.effects : []
}
