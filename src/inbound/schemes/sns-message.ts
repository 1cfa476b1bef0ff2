// The members of an Amazon SNS message, the text that is signed, and the addresses in it that we may request.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html

import { type JsonObject, valueAt } from '../json.ts'

export const snsTypes = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const
export type SnsType = (typeof snsTypes)[number]

/** Every member that we read is text. */
export type SnsMessage = { Type: SnsType; MessageId: string; TopicArn: string; Timestamp: string } & Partial<
  Record<'Message' | 'Subject' | 'Token' | 'SubscribeURL' | 'Signature' | 'SignatureVersion' | 'SigningCertURL', string>
>

const required = ['Type', 'MessageId', 'TopicArn', 'Timestamp'] as const
const optional = [
  'Message',
  'Subject',
  'Token',
  'SubscribeURL',
  'Signature',
  'SignatureVersion',
  'SigningCertURL',
] as const

/** Null where a required member is absent or a member is not text. */
export function parseSnsMessage(payload: JsonObject | null): SnsMessage | null {
  // A notification without a subject may have a null there.
  const members = [...required, ...optional].map((name) => [name, valueAt(payload, name) ?? undefined] as const)
  if (members.some(([, value]) => value !== undefined && typeof value !== 'string')) return null
  const message = Object.fromEntries(members) as SnsMessage
  return required.every((name) => message[name] !== undefined) && snsTypes.includes(message.Type) ? message : null
}

const signedMembers = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

/** The signed text; null where a member of it is absent. Only the subject may be absent. */
export function signedText(message: SnsMessage): string | null {
  const members = signedMembers[message.Type].filter((name) => name !== 'Subject' || message.Subject !== undefined)
  if (members.some((name) => message[name] === undefined)) return null
  return members.map((name) => `${name}\n${message[name]}\n`).join('')
}

const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/
const urlLengthMax = 2048
/**
 * Checks the text before a URL parser sees it: parsers drop tabs and line breaks, turn backslashes around, and disagree
 * about the part before an `@`. Allows only the scheme, a plain host name, and a path.
 */
const plainUrl = /^https:\/\/([a-z0-9.-]+)\/[\w.~/?=&%:+-]*$/

/** Whether this is the address of a certificate of Amazon SNS. Anyone can own `evil.example`, or a bucket at amazonaws.com. */
export function isCertificateUrl(text: string): boolean {
  const url = snsUrl(text)
  return url !== null && url.search === '' && url.pathname.endsWith('.pem')
}

/** Whether this is an address of Amazon SNS that confirms a subscription. */
export function isSubscribeUrl(text: string): boolean {
  return snsUrl(text)?.searchParams.get('Action') === 'ConfirmSubscription'
}

function snsUrl(text: string): URL | null {
  const hostname = text.length <= urlLengthMax ? plainUrl.exec(text)?.[1] : undefined
  if (hostname === undefined || !host.test(hostname) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  return isPlain && url.hash === '' && url.hostname === hostname ? url : null
}
