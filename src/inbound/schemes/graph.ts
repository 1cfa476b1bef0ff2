import { type Json, valueAt } from '../json.ts'
import type { DeliveryFacts, RawDelivery, Scheme, Verification, Verifying } from '../scheme.ts'
import { deliveryKeyOf, nameAt, readPayload } from './payload.ts'
import { holdsForAny, isSameText, refused, verified } from './proof.ts'
import { jsonSample } from './sample.ts'

/** Graph sends a few at a time; each is compared with each secret. */
const itemsMax = 1000
/** Printable, and nothing that a browser could take for markup, whatever type it believes the answer to have. */
const validationToken = /^[^\p{Cc}<>]{1,4096}$/u

/**
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks. Nothing is signed: the secret is the
 * `clientState` that a subscription was made with, and stands in each item. The question whether this address is ours
 * (`?validationToken=`) comes before there is any: it is answered, and what comes with it is not read.
 */
export const graph: Scheme = {
  name: 'graph',
  channel: 'collab',
  provider: 'Microsoft Graph',
  contentTypes: ['application/json', 'text/plain'],
  bodyBytesMax: 1024 * 1024,
  accountOf: ({ body }) => nameAt(readPayload(body), 'value', 0, 'subscriptionId'),
  verify: async (raw, verifying) => (isHandshake(raw) ? verified : judge(raw, verifying)),
  read: (raw) => (isHandshake(raw) ? handshakeOf(raw) : eventOf(raw)),
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

/** The server has decoded the query already; the answer is that text and nothing else. */
function handshakeOf({ query }: RawDelivery): DeliveryFacts {
  const token = query['validationToken']
  if (typeof token !== 'string' || !validationToken.test(token))
    return { kind: 'unusable', detail: 'the validationToken has another form' }
  return { kind: 'handshake', answer: { contentType: 'text/plain', body: token } }
}

function itemsOf({ body }: RawDelivery): Json[] | null {
  const items = valueAt(readPayload(body), 'value')
  return Array.isArray(items) && items.length > 0 && items.length <= itemsMax ? items : null
}

function judge(raw: RawDelivery, { secrets }: Verifying): Verification {
  const items = itemsOf(raw)
  if (items === null) return refused('UNREADABLE', `the body lists no notifications, or more than ${itemsMax}`)
  const states = items.map((item) => valueAt(item, 'clientState'))
  if (!states.every((state) => typeof state === 'string'))
    return refused('SIGNATURE_MISSING', 'a notification has no clientState')
  // All of them, so that the time does not say at which one it went wrong.
  const matches = states.map((state) => holdsForAny(secrets, (secret) => isSameText(secret, state)))
  return matches.includes(false) ? refused('SIGNATURE_MISMATCH', 'a clientState is another one') : verified
}

function eventOf(raw: RawDelivery): DeliveryFacts {
  const items = itemsOf(raw)
  const eventType = nameAt(items?.[0], 'lifecycleEvent') ?? nameAt(items?.[0], 'changeType')
  if (items === null || eventType === null)
    return { kind: 'unusable', detail: 'the body lists no notification that says what has changed' }
  const parts = items.length <= 50 ? items.flatMap(partsOf) : [null]
  const resources = new Set(items.map((item) => nameAt(item, 'resource')))
  const subscription = nameAt(items[0], 'subscriptionId')
  const entity = resources.size === 1 ? nameAt(items[0], 'resource') : null
  return {
    kind: 'event',
    deliveryKey: deliveryKeyOf({ scheme: 'graph', body: raw.body, parts }),
    eventType,
    entityKey: entity ?? `subscription/${subscription ?? ''}`,
    occurredAt: null,
  }
}

/** The `id` of an item is another one in a repeat, so it counts only where no version of the resource is given. */
function partsOf(item: Json | undefined): (string | null)[] {
  const version = nameAt(item, 'resourceData', '@odata.etag') ?? nameAt(item, 'id')
  const change = nameAt(item, 'changeType')
  return [nameAt(item, 'subscriptionId'), nameAt(item, 'resourceData', 'id'), version, change]
}
