import { sign, verify as verifyWith, type X509Certificate } from 'node:crypto'
import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import type { DeliveryFacts, Scheme, SchemeSettings, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, parseTime } from './identifiers.ts'
import { jsonSample, type SampleKeys } from './sample.ts'
import { checkAge, decodeBase64, failure, verified } from './signature.ts'
import type { SigningCertificates } from './signing-certificates.ts'
import { isCertificateUrl, isSubscribeUrl, parseSnsMessage, type SnsMessage, signedText } from './sns-message.ts'

const ageSecondsMax = 3600
/** By SignatureVersion. Topics sign with SHA-1 by default. */
const digests = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])

type Deps = { certificates: SigningCertificates; sampleKey?: SampleKeys['sns'] }

/**
 * Amazon SNS, which delivers the mail that Amazon SES receives. There is no secret: a message is signed with Amazon's
 * certificate, and anyone may have a topic. The connection therefore lists its own topics (`topicArns` in the settings).
 */
export function sns({ certificates, sampleKey }: Deps): Scheme {
  return {
    name: 'sns',
    channel: 'email',
    provider: 'Amazon SNS',
    // SNS sends its JSON as text/plain.
    contentTypes: ['text/plain', 'application/json'],
    // SNS allows messages up to 256 KiB, which grow when they are written as JSON inside JSON.
    bodyBytesMax: 1024 * 1024,
    account: async (delivery) => identifierAt(await delivery.json(), 'TopicArn'),
    verify: (delivery, context) => verifyMessage(delivery, context, certificates),
    read,
    sample: (context) => (sampleKey ? sampleNotification(sampleKey, context) : null),
  }
}

async function verifyMessage(
  delivery: IncomingDelivery,
  { settings, now }: VerificationContext,
  certificates: SigningCertificates,
): Promise<Verification> {
  const message = parseSnsMessage(await delivery.json())
  if (message === null)
    return failure('UNREADABLE', 'the body is not an SNS message; turn off raw message delivery for the subscription')
  if (!topicArns(settings).includes(message.TopicArn))
    return failure('TOPIC_UNKNOWN', 'the topic is not among the topicArns of the connection')
  const at = parseTime(message.Timestamp)
  if (at === null) return failure('TIMESTAMP_MISSING', 'the Timestamp is not a time')
  const stale = checkAge(at, { now, seconds: ageSecondsMax })
  if (stale !== null) return stale
  const { Signature, SignatureVersion, SigningCertURL } = message
  if (Signature === undefined) return failure('SIGNATURE_MISSING', 'the message has no Signature')
  const signature = decodeBase64(Signature)
  const digest = digests.get(SignatureVersion ?? '')
  const text = signedText(message)
  if (signature === null || digest === undefined || text === null)
    return failure(
      'SIGNATURE_MALFORMED',
      'the Signature is not base64, its version is unknown, or a signed member is missing',
    )
  if (SigningCertURL === undefined || !isCertificateUrl(SigningCertURL))
    return failure('CERTIFICATE_REFUSED', 'SigningCertURL is not an address of Amazon SNS')
  // Not earlier: messages that are invalid anyway must not cause requests for certificates.
  const certificate = await certificates.find(SigningCertURL)
  if (certificate === null || !isValidAt(certificate, now))
    return failure('CERTIFICATE_REFUSED', 'no certificate there is valid now')
  const isMatch = verifyWith(digest, Buffer.from(text), certificate.publicKey, signature)
  return isMatch ? verified : failure('SIGNATURE_MISMATCH', `computed over ${Buffer.byteLength(text)} bytes`)
}

function topicArns(settings: SchemeSettings): string[] {
  const topics = Object.hasOwn(settings, 'topicArns') ? settings['topicArns'] : undefined
  return Array.isArray(topics) ? topics : []
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate
}

async function read(delivery: IncomingDelivery): Promise<DeliveryFacts> {
  const message = parseSnsMessage(await delivery.json())
  if (message === null) return { kind: 'unusable', detail: 'the body is not an SNS message' }
  const deliveryKey = buildDeliveryKey({
    scheme: 'sns',
    body: delivery.body,
    parts: [identifierAt(message, 'MessageId')],
  })
  if (message.Type === 'SubscriptionConfirmation') {
    const url = message.SubscribeURL
    if (url === undefined || !isSubscribeUrl(url))
      return { kind: 'unusable', detail: 'the SubscribeURL is not an address of Amazon SNS' }
    return { kind: 'confirmation', url, deliveryKey }
  }
  const occurredAt = parseTime(message.Timestamp)
  // Each message is a separate mail: none waits for another.
  return { kind: 'event', deliveryKey, eventType: message.Type, entityKey: `mail/${deliveryKey}`, occurredAt }
}

type SampleContext = Parameters<Scheme['sample']>[0]

function sampleNotification(
  { privateKey, certificateUrl }: NonNullable<SampleKeys['sns']>,
  { settings, now, id }: SampleContext,
): RawDelivery {
  const content = Buffer.from(
    'From: ada@example.com\r\nTo: inbox@example.com\r\nSubject: Test of the connection\r\n\r\nTest\r\n',
  )
  const receipt = { recipients: ['inbox@example.com'], action: { type: 'SNS', encoding: 'BASE64' } }
  const mail = { messageId: id, source: 'ada@example.com', destination: ['inbox@example.com'] }
  const message: SnsMessage = {
    Type: 'Notification',
    MessageId: id,
    TopicArn: topicArns(settings)[0] ?? '',
    Subject: 'Amazon SES Email Receipt Notification',
    Message: JSON.stringify({ notificationType: 'Received', mail, receipt, content: content.toString('base64') }),
    Timestamp: now.toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
  }
  const signature = sign('RSA-SHA256', Buffer.from(signedText(message) ?? ''), privateKey)
  const raw = jsonSample({ ...message, Signature: signature.toString('base64') })
  const headers = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' }
  return { ...raw, contentType: 'text/plain', headers }
}
