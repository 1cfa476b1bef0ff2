import type { Scheme } from '../scheme.ts'
import { buildDeliveryKey, identifierInHeader } from './identifiers.ts'
import { constantTimeEqual, matchesAnySecret, readHeader, signatureMismatch, verified } from './signature.ts'

/**
 * https://developers.google.com/workspace/calendar/api/guides/push, read 2026-11-25. Nothing is signed, and there is no body: the
 * secret is the token that we gave when the channel was made, and every message repeats it.
 */
export const googleChannel: Scheme = {
  name: 'google-channel',
  channel: 'collab',
  provider: 'Google',
  contentTypes: ['application/json', 'text/plain'],
  bodyBytesMax: 64 * 1024,
  account: async () => null,
  verify: async (delivery, { secrets }) => {
    const token = readHeader(delivery, { name: 'x-goog-channel-token', pattern: /^([ -~]{1,256})$/ })
    if (typeof token !== 'string') return token
    return matchesAnySecret(secrets, (secret) => constantTimeEqual(secret, token))
      ? verified
      : signatureMismatch(delivery)
  },
  read: async (delivery) => {
    if (delivery.body.length > 0) return { kind: 'unusable', detail: 'a message has no body' }
    const channel = identifierInHeader(delivery, 'x-goog-channel-id')
    const state = identifierInHeader(delivery, 'x-goog-resource-state')
    const number = identifierInHeader(delivery, 'x-goog-message-number')
    if (channel === null || state === null)
      return { kind: 'unusable', detail: 'the headers name no channel or no state' }
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({ scheme: 'google-channel', body: delivery.body, parts: [channel, number, state] }),
      eventType: state,
      entityKey: `channel/${channel}`,
      occurredAt: null,
    }
  },
  sample: ({ secret, id }) => ({
    body: Buffer.alloc(0),
    contentType: 'application/json',
    headers: {
      'x-goog-channel-id': 'channel-of-the-test',
      'x-goog-channel-token': secret,
      'x-goog-message-number': id,
      'x-goog-resource-id': 'resource-of-the-test',
      'x-goog-resource-state': 'exists',
    },
    query: {},
  }),
}
