import { type Json, valueAt } from '../json.ts'
import type { DeliveryFacts, Scheme } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, parseTime } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import { checkAge, hmacHex, readHeader, verifyHmac } from './signature.ts'

const ageSecondsMax = 300

/**
 * https://developers.zoom.us/docs/api/webhooks/, read 2026-11-25. Before Zoom sends events to an address, it asks there for proof
 * of the secret: the answer is the HMAC of a token of Zoom's.
 */
export const zoom: Scheme = {
  name: 'zoom',
  channel: 'collab',
  provider: 'Zoom',
  contentTypes: ['application/json'],
  bodyBytesMax: 1024 * 1024,
  account: async (delivery) => identifierAt(await delivery.json(), 'payload', 'account_id'),
  verify: async (delivery, { secrets, now }) => {
    const header = { name: 'x-zm-request-timestamp', pattern: /^(\d{1,11})$/, missing: 'TIMESTAMP_MISSING' } as const
    const seconds = readHeader(delivery, header)
    if (typeof seconds !== 'string') return seconds
    const signed = [`v0:${seconds}:`, delivery.body]
    const rule = { header: 'x-zm-signature', pattern: /^v0=([0-9a-f]{64})$/, signed }
    const verification = verifyHmac(delivery, secrets, rule)
    if (!verification.isVerified) return verification
    return checkAge(new Date(Number(seconds) * 1000), { now, seconds: ageSecondsMax }) ?? verification
  },
  read: async (delivery, secrets) => {
    const payload = await delivery.json()
    const eventType = identifierAt(payload, 'event')
    if (eventType === null) return { kind: 'unusable', detail: 'the body names no event' }
    if (eventType === 'endpoint.url_validation') return readChallenge(payload, secrets)
    const occurredAt = parseTime(valueAt(payload, 'event_ts'), 'ms')
    const uuid = identifierAt(payload, 'payload', 'object', 'uuid')
    const parts = [eventType, uuid, occurredAt?.toISOString() ?? null]
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({ scheme: 'zoom', body: delivery.body, parts }),
      eventType,
      entityKey: uuid === null ? eventType : `meeting/${uuid}`,
      occurredAt,
    }
  },
  sample: ({ secret, now, id }) => {
    const seconds = Math.floor(now.getTime() / 1000)
    const object = { uuid: id, host_id: 'host-of-the-test', topic: 'Test of the connection' }
    const payload = { account_id: 'account-of-the-test', object }
    const raw = jsonSample({ event: 'recording.transcript_completed', event_ts: now.getTime(), payload })
    const signature = `v0=${hmacHex(secret, [`v0:${seconds}:`, raw.body])}`
    const headers = { 'x-zm-request-timestamp': String(seconds), 'x-zm-signature': signature }
    return { ...raw, headers: { ...raw.headers, ...headers } }
  },
}

function readChallenge(payload: Json | null, [secret]: readonly string[]): DeliveryFacts {
  const plainToken = identifierAt(payload, 'payload', 'plainToken')
  if (plainToken === null || secret === undefined)
    return { kind: 'unusable', detail: 'the validation has no plainToken' }
  const body = JSON.stringify({ plainToken, encryptedToken: hmacHex(secret, [plainToken]) })
  return { kind: 'handshake', answer: { contentType: 'application/json', body } }
}
