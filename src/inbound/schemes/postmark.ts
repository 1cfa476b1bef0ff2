import { type JsonObject, valueAt } from '../json.ts'
import type { Scheme } from '../scheme.ts'
import { buildDeliveryKey, identifierAt } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import {
  constantTimeEqual,
  decodeBase64,
  failure,
  matchesAnySecret,
  readHeader,
  textSetting,
  verified,
} from './signature.ts'

/** Nothing for a mail that was received. */
function reportParts(payload: JsonObject | null): string[] {
  const record = identifierAt(payload, 'RecordType')
  return record === null || record === 'Inbound' ? [] : [record, String(valueAt(payload, 'ID') ?? '')]
}

/** When the settings have no `userName`. */
const userNameDefault = 'postmark'

/**
 * https://postmarkapp.com/developer/webhooks/inbound-webhook. Postmark signs nothing. The address it gets contains a
 * user name (`userName` in the settings) and a password (the secret), and it sends both as HTTP Basic (RFC 7617).
 */
export const postmark: Scheme = {
  name: 'postmark',
  channel: 'email',
  provider: 'Postmark',
  contentTypes: ['application/json'],
  bodyBytesMax: 25 * 1024 * 1024,
  // The addresses in a mail are chosen by its author.
  account: async () => null,
  verify: async (delivery, { secrets, settings }) => {
    const sent = readHeader(delivery, { name: 'authorization', pattern: /^Basic ([A-Za-z0-9+/]{1,1000}={0,2})$/ })
    if (typeof sent !== 'string') return sent
    const credentials = decodeBase64(sent)?.toString('utf8')
    if (credentials === undefined) return failure('SIGNATURE_MALFORMED', 'the credentials are not in base64')
    const userName = textSetting(settings, 'userName') ?? userNameDefault
    const isMatch = matchesAnySecret(secrets, (secret) => constantTimeEqual(`${userName}:${secret}`, credentials))
    return isMatch ? verified : failure('SIGNATURE_MISMATCH', 'the user name or the password does not match')
  },
  read: async (delivery) => {
    const payload = await delivery.json()
    const id = identifierAt(payload, 'MessageID')
    if (id === null) return { kind: 'unusable', detail: 'the body is not a JSON object with a MessageID' }
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({
        scheme: 'postmark',
        body: delivery.body,
        // Reports of one mail to several people have its MessageID, and an ID each.
        parts: [id, ...reportParts(payload)],
      }),
      eventType: 'inbound',
      entityKey: `mail/${id}`,
      // The mail's author chooses its date.
      occurredAt: null,
    }
  },
  sample: ({ secret, settings, now, id }) => {
    const credentials = `${textSetting(settings, 'userName') ?? userNameDefault}:${secret}`
    const mail = {
      MessageID: id,
      Date: now.toUTCString(),
      From: 'ada@example.com',
      To: 'inbox@example.com',
      Subject: 'Test of the connection',
      TextBody: 'Test of the connection',
    }
    return jsonSample(mail, { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` })
  },
}
