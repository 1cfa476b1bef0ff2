import { fieldText } from '../../http/uploads/buffered-form.ts'
import type { IncomingDelivery } from '../incoming-delivery.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, parseTime, toIdentifier } from './identifiers.ts'
import { formSample } from './sample.ts'
import { checkAge, constantTimeEqual, failure, hmacHex, matchesAnySecret, verified } from './signature.ts'

const ageSecondsMax = 300
const fieldNames = ['timestamp', 'token', 'signature', 'Message-Id']

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks. Only a time and a token are
 * signed, not the mail. A token is therefore accepted once: it is the delivery's key.
 */
export const mailgun: Scheme = {
  name: 'mailgun',
  channel: 'email',
  provider: 'Mailgun',
  contentTypes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
  bodyBytesMax: 25 * 1024 * 1024,
  // The addresses in a mail are chosen by its author.
  account: async () => null,
  verify: verifyForm,
  read,
  sample: ({ secret, now, id }) => {
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const token = Buffer.from(id).toString('hex')
    return formSample({
      timestamp,
      token,
      signature: hmacHex(secret, [timestamp, token]),
      recipient: 'inbox@example.com',
      sender: 'ada@example.com',
      from: 'Ada <ada@example.com>',
      subject: 'Test of the connection',
      'body-plain': 'Test of the connection',
      'Message-Id': `<${id}@example.com>`,
    })
  },
}

type SignedField = { name: string; pattern: RegExp; cause: 'SIGNATURE_MISSING' | 'TIMESTAMP_MISSING' }

async function verifyForm(delivery: IncomingDelivery, { secrets, now }: VerificationContext): Promise<Verification> {
  const fields = await delivery.form(fieldNames)
  if (fields === null) return failure('UNREADABLE', 'the body is not a form')
  const readField = ({ name, pattern, cause }: SignedField) => {
    if (!fields.has(name)) return failure(cause, `the field ${name} is missing`)
    const value = fieldText(fields, name)
    if (value !== null && pattern.test(value)) return value
    return failure('SIGNATURE_MALFORMED', `the field ${name} has the wrong format or came more than once`)
  }
  const signature = readField({ name: 'signature', pattern: /^[0-9a-f]{64}$/, cause: 'SIGNATURE_MISSING' })
  if (typeof signature !== 'string') return signature
  // Exactly ten digits: time and token are signed without a separator. A digit that moved from one to the other would
  // make a second token with the same signature.
  const timestamp = readField({ name: 'timestamp', pattern: /^\d{10}$/, cause: 'TIMESTAMP_MISSING' })
  if (typeof timestamp !== 'string') return timestamp
  const token = readField({ name: 'token', pattern: /^[\w-]{1,200}$/, cause: 'SIGNATURE_MISSING' })
  if (typeof token !== 'string') return token
  const isMatch = matchesAnySecret(secrets, (secret) =>
    constantTimeEqual(hmacHex(secret, [timestamp, token]), signature),
  )
  if (!isMatch) return failure('SIGNATURE_MISMATCH', 'computed over the timestamp and the token')
  return checkAge(new Date(Number(timestamp) * 1000), { now, seconds: ageSecondsMax }) ?? verified
}

async function read(delivery: IncomingDelivery): Promise<DeliveryFacts> {
  const fields = await delivery.form(fieldNames)
  const token = fields && fieldText(fields, 'token')
  if (fields === null || token === null) return { kind: 'unusable', detail: 'the body is not a form with a token' }
  const id = toIdentifier(fieldText(fields, 'Message-Id') ?? '') ?? toIdentifier(token)
  return {
    kind: 'event',
    deliveryKey: buildDeliveryKey({ scheme: 'mailgun', body: delivery.body, parts: [token] }),
    eventType: 'inbound',
    entityKey: `mail/${id ?? ''}`,
    occurredAt: parseTime(Number(fieldText(fields, 'timestamp') ?? Number.NaN), 's'),
  }
}
