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
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { Endpoint } from './endpoint.rules.ts'

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: '`https`, on port 443 or 8443 of a host of the public internet.',
  examples: ['https://hooks.example.com/atrium'],
})
const description = Nullable(Type.String({ maxLength: 200, examples: ['Billing'] }))
const eventTypes = Type.Array(
  Type.String({ pattern: '^[a-z]+(?:\\.[a-z]+)*(?:\\.\\*)?$', maxLength: 100, examples: ['license.*'] }),
  {
    maxItems: 50,
    uniqueItems: true,
    description: 'Types, or their beginnings with `.*`; none: all.',
    examples: [['license.*', 'vault.device.registered']],
  },
)
const ratePerMinute = Nullable(
  Type.Integer({ minimum: 1, maximum: 6000, examples: [600] }),
  'Deliveries a minute at most; more are sent later. Null: no limit.',
)

export const NewEndpoint = StrictObject({
  url,
  description: Type.Optional(description),
  eventTypes: Type.Optional(eventTypes),
  ratePerMinute: Type.Optional(ratePerMinute),
})
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointChange = StrictObject({
  url: Type.Optional(url),
  description: Type.Optional(description),
  eventTypes: Type.Optional(eventTypes),
  ratePerMinute: Type.Optional(ratePerMinute),
})
export type EndpointChange = Static<typeof EndpointChange>

export const EndpointQuery = StrictObject(PageQuery)

const EndpointView = Type.Object(
  {
    id: Id,
    url: Type.String({ examples: ['https://hooks.example.com/atrium'] }),
    description: Nullable(Type.String({ examples: ['Billing'] })),
    eventTypes: Type.Array(Type.String({ examples: ['license.*'] })),
    ratePerMinute,
    status: StringEnum(['ACTIVE', 'DISABLED']),
    disabledReason: Nullable(
      StringEnum(['GONE', 'FAILING']),
      'GONE: it answered 410. FAILING: nothing but failures for five days.',
    ),
    disabledAt: Nullable(Timestamp),
    failingSince: Nullable(
      Timestamp,
      'The first of the failures since the last success; null: the last try succeeded.',
    ),
    previousSecretUntil: Nullable(Timestamp, 'So long the secret of before the rotation signs too.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'WebhookEndpoint' },
)

export const EndpointDetail = StrictObject({ endpoint: EndpointView })
export const EndpointShown = StrictObject({
  endpoint: EndpointView,
  secret: Type.String({
    description: 'Signs what is sent (Standard Webhooks): shown in this answer alone.',
    examples: ['whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA='],
  }),
})
export const EndpointList = StrictObject({ endpoints: Type.Array(EndpointView), pagination: PaginationSchema })

export const EventTypeList = StrictObject({
  eventTypes: Type.Array(
    Type.Object(
      {
        type: Type.String({ examples: ['license.issued'] }),
        description: Type.String({ examples: ['The tenant was given a license.'] }),
        example: Type.Object(
          {
            type: Type.String({ examples: ['license.issued'] }),
            timestamp: Timestamp,
            data: Type.Unsafe<Record<string, string>>({
              type: 'object',
              additionalProperties: { type: 'string' },
              examples: [{ licenseId: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57', product: 'vault-vpn' }],
            }),
          },
          { description: 'The body as it is sent.' },
        ),
      },
      { title: 'WebhookEventType' },
    ),
  ),
})

export function endpointView({ disabledAt, failingSince, previousSecretUntil, ...endpoint }: Endpoint) {
  return {
    ...endpoint,
    disabledAt: isoOrNull(disabledAt),
    failingSince: isoOrNull(failingSince),
    previousSecretUntil: isoOrNull(previousSecretUntil),
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  }
}
