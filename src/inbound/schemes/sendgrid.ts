import { createPublicKey, type KeyObject, sign, verify as verifyWith } from 'node:crypto'
import { fieldOf, readForm } from '../form-fields.ts'
import type { DeliveryFacts, RawDelivery, Scheme, Verification, Verifying } from '../scheme.ts'
import { deliveryKeyOf, nameOf } from './payload.ts'
import { bytesOfBase64, judgeAge, mismatch, readHeader, refused, verified } from './proof.ts'
import { formSample, type SampleKeys } from './sample.ts'

const ageSecondsMax = 300
const signatureHeader = 'x-twilio-email-event-webhook-signature'
const timestampHeader = 'x-twilio-email-event-webhook-timestamp'

/**
 * https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/securing-your-parse-webhooks: ECDSA over P-256 with
 * SHA-256, over the time and the raw body. The connection's secret is the public key that SendGrid shows (base64 of its
 * DER form).
 */
export function sendgrid({ sampleKey }: { sampleKey?: SampleKeys['sendgrid'] }): Scheme {
  return {
    name: 'sendgrid',
    channel: 'email',
    provider: 'SendGrid',
    contentTypes: ['multipart/form-data'],
    bodyBytesMax: 25 * 1024 * 1024,
    // A mail names addresses, and whoever wrote it has chosen them.
    accountOf: () => null,
    verify: async (raw, verifying) => judge(raw, verifying),
    read,
    sample: (signing) => (sampleKey ? sampleMail(sampleKey.privateKey, signing) : null),
  }
}

function judge(raw: RawDelivery, { secrets, now }: Verifying): Verification {
  const text = readHeader(raw, { name: signatureHeader, form: /^([A-Za-z0-9+/]{1,200}={0,2})$/ })
  if (typeof text !== 'string') return text
  const header = { name: timestampHeader, form: /^(\d{1,11})$/, missing: 'TIMESTAMP_MISSING' } as const
  const seconds = readHeader(raw, header)
  if (typeof seconds !== 'string') return seconds
  const signature = bytesOfBase64(text)
  if (signature === null) return refused('SIGNATURE_MALFORMED', 'the signature is not in base64')
  const keys = secrets.map(publicKeyOf).filter((key) => key !== null)
  if (keys.length === 0) return refused('KEY_UNKNOWN', 'the connection holds no public key for P-256')
  const signed = Buffer.concat([Buffer.from(seconds), raw.body])
  const holds = keys.map((key) => verifyWith('SHA256', signed, key, signature)).includes(true)
  if (!holds) return mismatch(raw)
  return judgeAge(new Date(Number(seconds) * 1000), { now, seconds: ageSecondsMax }) ?? verified
}

function publicKeyOf(secret: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

function read(raw: RawDelivery): DeliveryFacts {
  const fields = readForm(raw, { names: ['headers', 'envelope'] })
  if (fields === null) return { kind: 'unusable', detail: 'the body is no form' }
  const [, id = null] =
    /^message-id:[ \t]*(?:\r?\n[ \t]+)?(\S{1,400})[ \t]*\r?$/im.exec(fieldOf(fields, 'headers') ?? '') ?? []
  // One mail to two of our addresses comes twice, in two envelopes.
  const parts = [id, fieldOf(fields, 'envelope')]
  const deliveryKey = deliveryKeyOf({ scheme: 'sendgrid', body: raw.body, parts })
  const mail = nameOf(id ?? '') ?? deliveryKey
  return { kind: 'event', deliveryKey, eventType: 'inbound', entityKey: `mail/${mail}`, occurredAt: null }
}

type Signing = Parameters<Scheme['sample']>[0]

function sampleMail(privateKey: KeyObject, { now, id }: Signing): RawDelivery {
  const raw = formSample({
    headers: `From: ada@example.com\nTo: inbox@example.com\nMessage-ID: <${id}@example.com>\nSubject: Test`,
    envelope: JSON.stringify({ to: ['inbox@example.com'], from: 'ada@example.com' }),
    from: 'ada@example.com',
    to: 'inbox@example.com',
    subject: 'Test of the connection',
    text: 'Test of the connection',
  })
  const seconds = String(Math.floor(now.getTime() / 1000))
  const signature = sign('SHA256', Buffer.concat([Buffer.from(seconds), raw.body]), privateKey).toString('base64')
  return { ...raw, headers: { ...raw.headers, [signatureHeader]: signature, [timestampHeader]: seconds } }
}
