import { createPublicKey, type KeyObject, sign, verify as verifyWith } from 'node:crypto'
import { fieldText } from '../../http/uploads/buffered-form.ts'
import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, toIdentifier } from './identifiers.ts'
import { formSample, type SampleKeys } from './sample.ts'
import { checkAge, decodeBase64, failure, readHeader, signatureMismatch, verified } from './signature.ts'

const ageSecondsMax = 300
const signatureHeader = 'x-twilio-email-event-webhook-signature'
const timestampHeader = 'x-twilio-email-event-webhook-timestamp'

/**
 * https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/securing-your-parse-webhooks: ECDSA with P-256 and
 * SHA-256 over the time and the raw body. The connection's secret is the public key that SendGrid shows (DER in base64).
 */
export function sendgrid({ sampleKey }: { sampleKey?: SampleKeys['sendgrid'] }): Scheme {
  return {
    name: 'sendgrid',
    channel: 'email',
    provider: 'SendGrid',
    contentTypes: ['multipart/form-data'],
    bodyBytesMax: 25 * 1024 * 1024,
    // The addresses in a mail are chosen by its author.
    account: async () => null,
    verify: async (delivery, context) => verifySignature(delivery, context),
    read,
    sample: (context) => (sampleKey ? sampleMail(sampleKey.privateKey, context) : null),
  }
}

function verifySignature(raw: RawDelivery, { secrets, now }: VerificationContext): Verification {
  const text = readHeader(raw, { name: signatureHeader, pattern: /^([A-Za-z0-9+/]{1,200}={0,2})$/ })
  if (typeof text !== 'string') return text
  const header = { name: timestampHeader, pattern: /^(\d{1,11})$/, missing: 'TIMESTAMP_MISSING' } as const
  const seconds = readHeader(raw, header)
  if (typeof seconds !== 'string') return seconds
  const signature = decodeBase64(text)
  if (signature === null) return failure('SIGNATURE_MALFORMED', 'the signature is not base64')
  const keys = secrets.map(parsePublicKey).filter((key) => key !== null)
  if (keys.length === 0) return failure('KEY_UNKNOWN', 'the secret of the connection is not a P-256 public key')
  const signed = Buffer.concat([Buffer.from(seconds), raw.body])
  const isMatch = keys.map((key) => verifyWith('SHA256', signed, key, signature)).includes(true)
  if (!isMatch) return signatureMismatch(raw)
  return checkAge(new Date(Number(seconds) * 1000), { now, seconds: ageSecondsMax }) ?? verified
}

function parsePublicKey(secret: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

async function read(delivery: IncomingDelivery): Promise<DeliveryFacts> {
  const fields = await delivery.form(['headers', 'envelope'])
  if (fields === null) return { kind: 'unusable', detail: 'the body is not a form' }
  const [, id = null] =
    /^message-id:[ \t]*(?:\r?\n[ \t]+)?(\S{1,400})[ \t]*\r?$/im.exec(fieldText(fields, 'headers') ?? '') ?? []
  // One mail to two of our addresses comes twice, with two envelopes.
  const parts = [id, fieldText(fields, 'envelope')]
  const deliveryKey = buildDeliveryKey({ scheme: 'sendgrid', body: delivery.body, parts })
  const mail = toIdentifier(id ?? '') ?? deliveryKey
  return { kind: 'event', deliveryKey, eventType: 'inbound', entityKey: `mail/${mail}`, occurredAt: null }
}

type SampleContext = Parameters<Scheme['sample']>[0]

function sampleMail(privateKey: KeyObject, { now, id }: SampleContext): RawDelivery {
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
