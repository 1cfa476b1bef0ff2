import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import { type Json, valueAt } from '../json.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, identifierAt } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import { constantTimeEqual, failure, matchesAnySecret, verified } from './signature.ts'

/** Graph sends a few notifications at a time. Each is compared with each secret. */
const itemsMax = 1000
/** Printable, and without markup, in case a browser takes the answer for HTML. */
const validationToken = /^[^\p{Cc}<>]{1,4096}$/u

/**
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks. Nothing is signed: the secret is the
 * `clientState` of the subscription, and every notification repeats it. Before a subscription exists, Graph checks the
 * address with `?validationToken=`. We answer that and ignore the body.
 */
export const graph: Scheme = {
  name: 'graph',
  channel: 'collab',
  provider: 'Microsoft Graph',
  contentTypes: ['application/json', 'text/plain'],
  bodyBytesMax: 1024 * 1024,
  account: async (delivery) => identifierAt(await delivery.json(), 'value', 0, 'subscriptionId'),
  verify: async (delivery, context) =>
    isHandshake(delivery) ? { isVerified: true, isUnsigned: true } : verifyNotifications(delivery, context),
  read: async (delivery) => (isHandshake(delivery) ? readHandshake(delivery) : readEvent(delivery)),
  sample: ({ secret, now, id }) => {
    const resource = 'Users/48d31887-5fad-4d73-a9f5-3c356e68a038/Events/AAMkADVxTAAA='
    const resourceData = { '@odata.type': '#Microsoft.Graph.Event', id, '@odata.etag': `W/"${now.getTime()}"` }
    const item = { subscriptionId: '0f3d1a52-7a4f-4b3a-9d6e-6c8f2a1b5e70', clientState: secret, changeType: 'updated' }
    return jsonSample({ value: [{ ...item, resource, resourceData }] })
  },
}

function isHandshake({ query }: RawDelivery): boolean {
  return Object.hasOwn(query, 'validationToken') && query['validationToken'] !== undefined
}

/** The server has already decoded the query. The answer is exactly that text. */
function readHandshake({ query }: RawDelivery): DeliveryFacts {
  const token = query['validationToken']
  if (typeof token !== 'string' || !validationToken.test(token))
    return { kind: 'unusable', detail: 'the validationToken has the wrong format' }
  return { kind: 'handshake', answer: { contentType: 'text/plain', body: token } }
}

async function notifications(delivery: IncomingDelivery): Promise<Json[] | null> {
  const items = valueAt(await delivery.json(), 'value')
  return Array.isArray(items) && items.length > 0 && items.length <= itemsMax ? items : null
}

async function verifyNotifications(
  delivery: IncomingDelivery,
  { secrets }: VerificationContext,
): Promise<Verification> {
  const items = await notifications(delivery)
  if (items === null) return failure('UNREADABLE', `the body lists no notifications, or more than ${itemsMax}`)
  const states = items.map((item) => valueAt(item, 'clientState'))
  if (!states.every((state) => typeof state === 'string'))
    return failure('SIGNATURE_MISSING', 'a notification has no clientState')
  // Compares all of them, so that the time does not tell which one is wrong.
  const matches = states.map((state) => matchesAnySecret(secrets, (secret) => constantTimeEqual(secret, state)))
  return matches.includes(false) ? failure('SIGNATURE_MISMATCH', 'a clientState does not match') : verified
}

async function readEvent(delivery: IncomingDelivery): Promise<DeliveryFacts> {
  const items = await notifications(delivery)
  const eventType = identifierAt(items?.[0], 'lifecycleEvent') ?? identifierAt(items?.[0], 'changeType')
  if (items === null || eventType === null)
    return { kind: 'unusable', detail: 'the body lists no notification with a changeType or lifecycleEvent' }
  const parts = items.length <= 50 ? items.flatMap(keyParts) : [null]
  const resources = new Set(items.map((item) => identifierAt(item, 'resource')))
  const subscription = identifierAt(items[0], 'subscriptionId')
  const entity = resources.size === 1 ? identifierAt(items[0], 'resource') : null
  return {
    kind: 'event',
    deliveryKey: buildDeliveryKey({ scheme: 'graph', body: delivery.body, parts }),
    eventType,
    entityKey: entity ?? `subscription/${subscription ?? ''}`,
    occurredAt: null,
  }
}

/** The `id` of a notification changes in a repeat, so it counts only where the resource has no version. */
function keyParts(item: Json | undefined): (string | null)[] {
  const version = identifierAt(item, 'resourceData', '@odata.etag') ?? identifierAt(item, 'id')
  const change = identifierAt(item, 'changeType')
  return [identifierAt(item, 'subscriptionId'), identifierAt(item, 'resourceData', 'id'), version, change]
}
