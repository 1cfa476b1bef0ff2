import { fieldOf, readForm } from '../form-fields.ts'
import type { DeliveryFacts, RawDelivery, Scheme, Verification, Verifying } from '../scheme.ts'
import { deliveryKeyOf, momentOf, nameOf } from './payload.ts'
import { hmacHex, holdsForAny, isSameText, judgeAge, refused, verified } from './proof.ts'
import { formSample } from './sample.ts'

const ageSecondsMax = 300
const fieldNames = ['timestamp', 'token', 'signature', 'Message-Id']

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks. Only a time and a token are
 * signed, not the mail: a token therefore counts once, and is what a delivery is known by.
 */
export const mailgun: Scheme = {
  name: 'mailgun',
  channel: 'email',
  provider: 'Mailgun',
  contentTypes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
  bodyBytesMax: 25 * 1024 * 1024,
  // A mail names addresses, and whoever wrote it has chosen them.
  accountOf: () => null,
  verify: async (raw, verifying) => judge(raw, verifying),
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

/** The field, where it is there once and in its form; its absence and a second one are told apart. */
type Wanted = { name: string; form: RegExp; cause: 'SIGNATURE_MISSING' | 'TIMESTAMP_MISSING' }

function judge(raw: RawDelivery, { secrets, now }: Verifying): Verification {
  const fields = readForm(raw, { names: fieldNames })
  if (fields === null) return refused('UNREADABLE', 'the body is no form')
  const take = ({ name, form, cause }: Wanted) => {
    if (!fields.has(name)) return refused(cause, `there is no field ${name}`)
    const value = fieldOf(fields, name)
    if (value !== null && form.test(value)) return value
    return refused('SIGNATURE_MALFORMED', `the field ${name} has another form, or came more than once`)
  }
  const signature = take({ name: 'signature', form: /^[0-9a-f]{64}$/, cause: 'SIGNATURE_MISSING' })
  if (typeof signature !== 'string') return signature
  // Ten digits, neither fewer nor more: nothing stands between the time and the token where they are signed, and a digit
  // that moved from one to the other would make a second token of one signature.
  const timestamp = take({ name: 'timestamp', form: /^\d{10}$/, cause: 'TIMESTAMP_MISSING' })
  if (typeof timestamp !== 'string') return timestamp
  const token = take({ name: 'token', form: /^[\w-]{1,200}$/, cause: 'SIGNATURE_MISSING' })
  if (typeof token !== 'string') return token
  const holds = holdsForAny(secrets, (secret) => isSameText(hmacHex(secret, [timestamp, token]), signature))
  if (!holds) return refused('SIGNATURE_MISMATCH', 'computed over the timestamp and the token')
  return judgeAge(new Date(Number(timestamp) * 1000), { now, seconds: ageSecondsMax }) ?? verified
}

function read(raw: RawDelivery): DeliveryFacts {
  const fields = readForm(raw, { names: fieldNames })
  const token = fields && fieldOf(fields, 'token')
  if (fields === null || token === null) return { kind: 'unusable', detail: 'the body is no form with a token' }
  const id = nameOf(fieldOf(fields, 'Message-Id') ?? '') ?? nameOf(token)
  return {
    kind: 'event',
    deliveryKey: deliveryKeyOf({ scheme: 'mailgun', body: raw.body, parts: [token] }),
    eventType: 'inbound',
    entityKey: `mail/${id ?? ''}`,
    occurredAt: momentOf(Number(fieldOf(fields, 'timestamp') ?? Number.NaN), 's'),
  }
}
