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
import { causes } from './causes.ts'
import { type Delivery, deliveryStatuses, kinds, replayedStatuses } from './delivery.rules.ts'

export const ReceivedAnswer = StrictObject({
  status: StringEnum(['accepted', 'duplicate'], {
    description: 'Stored, and processed from now on; or stored before: nothing more comes of it.',
  }),
  deliveryId: Id,
})

const span = {
  connectionId: Type.Optional(Id),
  from: Type.Optional({ ...TimestampInput, description: 'Received at this moment or later.' }),
  to: Type.Optional({ ...TimestampInput, description: 'Received before this moment.' }),
}

export const DeliveryQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(
    StringEnum(deliveryStatuses, {
      description:
        'received and retrying wait; processed and ignored are done; dead needs somebody to look; of rejected ones nothing was taken.',
    }),
  ),
  ...span,
})

export const replayMax = 500
export const ReplayFilter = Type.Object(
  {
    status: Type.Optional(
      StringEnum(replayedStatuses, { description: 'Those in this state; dead unless it is said.' }),
    ),
    ...span,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: replayMax, default: replayMax, examples: [replayMax] })),
  },
  { additionalProperties: false, examples: [{ status: 'dead' }] },
)
export type ReplayFilter = Static<typeof ReplayFilter>

const EffectAnswer = StrictObject({
  kind: StringEnum(['task', 'answer', 'message']),
  action: StringEnum(['created', 'updated', 'unchanged', 'drafted', 'stored']),
  targetId: Type.String({ examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] }),
  status: StringEnum(['DONE', 'PENDING'], {
    description: 'PENDING waits for something that is not connected yet, and is not lost.',
  }),
  reason: Type.Optional(
    Type.String({ description: 'What a pending one waits for.', examples: ['It is still to be searched for.'] }),
  ),
})
export const effectsMember = Type.Array(EffectAnswer, { description: 'What it led to.' })

const members = {
  id: Id,
  connectionId: Id,
  scheme: { ...StringEnum(schemeNames), examples: ['github'] },
  kind: StringEnum(kinds, {
    description: 'A refusal stands for all of its cause, connection and minute: `duplicates` counts the others.',
  }),
  eventType: Nullable(Type.String({ examples: ['issues.opened'] })),
  entity: Nullable(
    Type.String({ examples: ['acme/web#7'] }),
    'What it is about: deliveries of one are processed one after another.',
  ),
  status: StringEnum(deliveryStatuses),
  attempts: Type.Integer({ description: 'Since it came, or since it was replayed.', examples: [1] }),
  cause: Nullable(StringEnum(causes), 'Why it was refused, or why the last try failed.'),
  detail: Nullable(Type.String({ examples: ['clock skew 412 s'] })),
  occurredAt: Nullable(Timestamp, 'As the provider says.'),
  receivedAt: Timestamp,
  duplicates: Type.Integer({ description: 'How often it came again.', examples: [0] }),
  bodyBytes: Type.Integer({ examples: [1204] }),
  hasBody: Type.Boolean({ description: 'Until it is forgotten it can be replayed.', examples: [true] }),
}

const DeliveryAnswer = Type.Object(members, { title: 'InboundDelivery', additionalProperties: false })
export const DeliveryList = StrictObject({ deliveries: Type.Array(DeliveryAnswer), pagination: PaginationSchema })

const DeliveryWithTimeline = Type.Object(
  {
    ...members,
    contentType: Type.String({ examples: ['application/json'] }),
    bodySha256: Type.String({
      description: 'Of the bytes as they came, in hexadecimal.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Those that name the delivery; never a signature or a credential.',
      examples: [{ 'x-github-event': 'issues' }],
    }),
    effects: effectsMember,
    timeline: Type.Array(
      StrictObject({
        at: Timestamp,
        event: Type.String({ examples: ['received'] }),
        detail: Nullable(Type.String({ examples: ['Try 1.'] })),
      }),
      { description: 'Oldest first; the last fifty.' },
    ),
  },
  { title: 'InboundDeliveryWithTimeline', additionalProperties: false },
)
export const DeliveryDetail = StrictObject({ delivery: DeliveryWithTimeline })

export const ReplayAnswer = StrictObject({
  replayed: Type.Integer({ description: 'How many wait now to be processed again.', examples: [3] }),
  hasMore: Type.Boolean({ description: 'Whether the limit left some out: ask again.', examples: [false] }),
})

export function deliveryView(delivery: Delivery): Static<typeof DeliveryAnswer> {
  const { id, connectionId, scheme, kind, eventType, entityKey: entity, status, attempts, cause, detail } = delivery
  const { duplicates, bodyBytes, hasBody } = delivery
  return {
    ...{ id, connectionId, scheme, kind, eventType, entity, status, attempts, cause, detail },
    occurredAt: isoOrNull(delivery.occurredAt),
    receivedAt: delivery.receivedAt.toISOString(),
    ...{ duplicates, bodyBytes, hasBody },
  }
}

export function deliveryWithTimeline(delivery: Delivery): Static<typeof DeliveryWithTimeline> {
  const { contentType, headers, timeline } = delivery
  return {
    ...deliveryView(delivery),
    ...{ contentType, headers, timeline },
    bodySha256: delivery.bodySha256.toString('hex'),
    effects: effectsOf(delivery),
  }
}

export function effectsOf({ outcome }: Delivery) {
  return outcome?.kind === 'processed' ? outcome.effects : []
}
