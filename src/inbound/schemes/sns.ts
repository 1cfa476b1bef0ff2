import { sign, verify as verifyWith, type X509Certificate } from 'node:crypto'
import type { DeliveryFacts, RawDelivery, Scheme, SchemeSettings, Verification, Verifying } from '../scheme.ts'
import { deliveryKeyOf, momentOf, nameAt, readPayload } from './payload.ts'
import { bytesOfBase64, judgeAge, refused, verified } from './proof.ts'
import { jsonSample, type SampleKeys } from './sample.ts'
import type { SigningCertificates } from './signing-certificates.ts'
import { isCertificateUrl, isSubscribeUrl, readSnsMessage, type SnsMessage, signedTextOf } from './sns-message.ts'

const ageSecondsMax = 3600
/** By SignatureVersion. SHA-1 is what topics sign with unless they are told otherwise. */
const digests = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])

type Deps = { certificates: SigningCertificates; sampleKey?: SampleKeys['sns'] }

/**
 * Amazon SNS, which brings the mail that Amazon SES receives. There is no secret: a message is signed with Amazon's
 * certificate, and anyone may have a topic. The connection therefore lists its own (`topicArns` of the settings).
 */
export function sns({ certificates, sampleKey }: Deps): Scheme {
  return {
    name: 'sns',
    channel: 'email',
    provider: 'Amazon SNS',
    // SNS calls its JSON text/plain.
    contentTypes: ['text/plain', 'application/json'],
    // SNS itself ends at 256 KiB of message, before that is written as JSON in JSON.
    bodyBytesMax: 1024 * 1024,
    accountOf: ({ body }) => nameAt(readPayload(body), 'TopicArn'),
    verify: (raw, verifying) => judge(raw, verifying, certificates),
    read,
    sample: (signing) => (sampleKey ? sampleNotification(sampleKey, signing) : null),
  }
}

async function judge(
  raw: RawDelivery,
  { settings, now }: Verifying,
  certificates: SigningCertificates,
): Promise<Verification> {
  const message = readSnsMessage(raw.body)
  if (message === null)
    return refused(
      'UNREADABLE',
      'the body is no message of SNS; raw message delivery has to be off for the subscription',
    )
  if (!topicsOf(settings).includes(message.TopicArn))
    return refused('TOPIC_UNKNOWN', 'the topic is none of those that the connection lists')
  const at = momentOf(message.Timestamp)
  if (at === null) return refused('TIMESTAMP_MISSING', 'the Timestamp is none')
  const stale = judgeAge(at, { now, seconds: ageSecondsMax })
  if (stale !== null) return stale
  const { Signature, SignatureVersion, SigningCertURL } = message
  if (Signature === undefined) return refused('SIGNATURE_MISSING', 'the message has no Signature')
  const signature = bytesOfBase64(Signature)
  const digest = digests.get(SignatureVersion ?? '')
  const text = signedTextOf(message)
  if (signature === null || digest === undefined || text === null)
    return refused(
      'SIGNATURE_MALFORMED',
      'the Signature is not in base64, its version is unknown, or something signed is absent',
    )
  if (SigningCertURL === undefined || !isCertificateUrl(SigningCertURL))
    return refused('CERTIFICATE_REFUSED', 'the certificate is not at an address of Amazon SNS')
  // Only now: whatever does not hold anyway makes nobody ask for a certificate.
  const certificate = await certificates.find(SigningCertURL)
  if (certificate === null || !isValidAt(certificate, now))
    return refused('CERTIFICATE_REFUSED', 'there is no certificate that is valid now')
  const holds = verifyWith(digest, Buffer.from(text), certificate.publicKey, signature)
  return holds ? verified : refused('SIGNATURE_MISMATCH', `computed over ${Buffer.byteLength(text)} bytes`)
}

function topicsOf(settings: SchemeSettings): string[] {
  const topics = Object.hasOwn(settings, 'topicArns') ? settings['topicArns'] : undefined
  return Array.isArray(topics) ? topics : []
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate
}

function read({ body }: RawDelivery): DeliveryFacts {
  const message = readSnsMessage(body)
  if (message === null) return { kind: 'unusable', detail: 'the body is no message of SNS' }
  const deliveryKey = deliveryKeyOf({ scheme: 'sns', body, parts: [nameAt(message, 'MessageId')] })
  if (message.Type === 'SubscriptionConfirmation') {
    const url = message.SubscribeURL
    if (url === undefined || !isSubscribeUrl(url))
      return { kind: 'unusable', detail: 'the SubscribeURL is no address of Amazon SNS' }
    return { kind: 'confirmation', url, deliveryKey }
  }
  const occurredAt = momentOf(message.Timestamp)
  // Each message is a mail of its own: none waits for another.
  return { kind: 'event', deliveryKey, eventType: message.Type, entityKey: `mail/${deliveryKey}`, occurredAt }
}

type Signing = Parameters<Scheme['sample']>[0]

function sampleNotification(
  { privateKey, certificateUrl }: NonNullable<SampleKeys['sns']>,
  { settings, now, id }: Signing,
): RawDelivery {
  const content = Buffer.from(
    'From: ada@example.com\r\nTo: inbox@example.com\r\nSubject: Test of the connection\r\n\r\nTest\r\n',
  )
  const receipt = { recipients: ['inbox@example.com'], action: { type: 'SNS', encoding: 'BASE64' } }
  const mail = { messageId: id, source: 'ada@example.com', destination: ['inbox@example.com'] }
  const message: SnsMessage = {
    Type: 'Notification',
    MessageId: id,
    TopicArn: topicsOf(settings)[0] ?? '',
    Subject: 'Amazon SES Email Receipt Notification',
    Message: JSON.stringify({ notificationType: 'Received', mail, receipt, content: content.toString('base64') }),
    Timestamp: now.toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
  }
  const signature = sign('RSA-SHA256', Buffer.from(signedTextOf(message) ?? ''), privateKey)
  const raw = jsonSample({ ...message, Signature: signature.toString('base64') })
  const headers = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' }
  return { ...raw, contentType: 'text/plain', headers }
}
