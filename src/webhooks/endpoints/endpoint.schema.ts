import type { Static } from 'typebox'
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
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type Endpoint, urlHint } from '../endpoint.rules.ts'

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An `https` URL on port 443 or 8443 of a public host.',
  examples: ['https://hooks.example.com/atrium'],
})
const description = Nullable(Type.String({ maxLength: 200, examples: ['Billing'] }))
const eventTypes = Type.Array(
  // Without a pattern: the refusal of a misspelt type names those that are near it.
  Type.String({ maxLength: 100, examples: ['license.*'] }),
  {
    maxItems: 50,
    uniqueItems: true,
    description: 'Event types, or prefixes such as `license.*`. An empty list subscribes to all.',
    examples: [['license.*', 'vault.device.registered']],
  },
)
const ratePerMinute = Nullable(
  Type.Integer({ minimum: 1, maximum: 6000, examples: [600] }),
  'The maximum number of deliveries per minute; further ones are sent later. Null: no limit.',
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
    url: OwnerOnly(
      Type.String({ examples: ['https://hooks.example.com/atrium'] }),
      'With some receivers, a token in it is the only secret. Null for administrators of the platform below OWNER.',
    ),
    urlHint: Type.String({
      description: 'The host of the URL, without its path and without parts of the name that may be a token.',
      examples: ['https://hooks.example.com'],
    }),
    description: Nullable(Type.String({ examples: ['Billing'] })),
    eventTypes: Type.Array(Type.String({ examples: ['license.*'] })),
    ratePerMinute,
    status: StringEnum(['ACTIVE', 'DISABLED']),
    disabledReason: Nullable(
      StringEnum(['GONE', 'FAILING']),
      'GONE: the endpoint answered 410. FAILING: every attempt failed for five days.',
    ),
    disabledAt: Nullable(Timestamp),
    failingSince: Nullable(
      Timestamp,
      'The time of the first failure since the last success. Null: the last attempt succeeded.',
    ),
    previousSecretUntil: Nullable(Timestamp, 'Until then, the secret from before the rotation signs as well.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'WebhookEndpoint' },
)

export const EndpointDetail = StrictObject({ endpoint: EndpointView })
export const EndpointCreated = StrictObject({
  endpoint: EndpointView,
  secret: Type.String({
    description: 'The signing secret (Standard Webhooks). It is shown only in this answer.',
    examples: ['whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA='],
  }),
})
export const EndpointList = StrictObject({ endpoints: Type.Array(EndpointView), pagination: PaginationSchema })

export function endpointView({ disabledAt, failingSince, previousSecretUntil, ...endpoint }: Endpoint) {
  return {
    ...endpoint,
    urlHint: urlHint(endpoint.url),
    disabledAt: isoOrNull(disabledAt),
    failingSince: isoOrNull(failingSince),
    previousSecretUntil: isoOrNull(previousSecretUntil),
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  }
}
