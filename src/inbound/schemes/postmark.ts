import type { Scheme } from '../scheme.ts'
import { deliveryKeyOf, nameAt, readPayload } from './payload.ts'
import { bytesOfBase64, holdsForAny, isSameText, readHeader, refused, settingOf, verified } from './proof.ts'
import { jsonSample } from './sample.ts'

/** Where the connection names no user. */
const userNameStandard = 'postmark'

/**
 * https://postmarkapp.com/developer/webhooks/inbound-webhook. Postmark signs nothing: it is told the address with a user
 * name (`userName` of the settings) and a password (the secret) in it, and sends both as HTTP Basic (RFC 7617).
 */
export const postmark: Scheme = {
  name: 'postmark',
  channel: 'email',
  provider: 'Postmark',
  contentTypes: ['application/json'],
  bodyBytesMax: 25 * 1024 * 1024,
  // A mail names addresses, and whoever wrote it has chosen them.
  accountOf: () => null,
  verify: async (raw, { secrets, settings }) => {
    const sent = readHeader(raw, { name: 'authorization', form: /^Basic ([A-Za-z0-9+/]{1,1000}={0,2})$/ })
    if (typeof sent !== 'string') return sent
    const credentials = bytesOfBase64(sent)?.toString('utf8')
    if (credentials === undefined) return refused('SIGNATURE_MALFORMED', 'the credentials are not in base64')
    const userName = settingOf(settings, 'userName') ?? userNameStandard
    const isKnown = holdsForAny(secrets, (secret) => isSameText(`${userName}:${secret}`, credentials))
    return isKnown ? verified : refused('SIGNATURE_MISMATCH', 'the user name or the password is another one')
  },
  read: (raw) => {
    const payload = readPayload(raw.body)
    const id = nameAt(payload, 'MessageID')
    if (id === null) return { kind: 'unusable', detail: 'the body is no JSON object with a MessageID' }
    return {
      kind: 'event',
      deliveryKey: deliveryKeyOf({ scheme: 'postmark', body: raw.body, parts: [id] }),
      eventType: 'inbound',
      entityKey: `mail/${id}`,
      // Its date is what the mail's author claims.
      occurredAt: null,
    }
  },
  sample: ({ secret, settings, now, id }) => {
    const credentials = `${settingOf(settings, 'userName') ?? userNameStandard}:${secret}`
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
