// What an Amazon SNS message says and signs, and which addresses in it may be asked.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html

import { valueAt } from '../json.ts'
import { readPayload } from './payload.ts'

export const snsTypes = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const
export type SnsType = (typeof snsTypes)[number]

/** Every member that counts is text. Of the others each may be absent. */
export type SnsMessage = { Type: SnsType; MessageId: string; TopicArn: string; Timestamp: string } & Partial<
  Record<'Message' | 'Subject' | 'Token' | 'SubscribeURL' | 'Signature' | 'SignatureVersion' | 'SigningCertURL', string>
>

const needed = ['Type', 'MessageId', 'TopicArn', 'Timestamp'] as const
const others = [
  'Message',
  'Subject',
  'Token',
  'SubscribeURL',
  'Signature',
  'SignatureVersion',
  'SigningCertURL',
] as const

/** Null where a member is absent or no text. */
export function readSnsMessage(body: Buffer): SnsMessage | null {
  const payload = readPayload(body)
  // A notification without a subject may say so with null.
  const members = [...needed, ...others].map((name) => [name, valueAt(payload, name) ?? undefined] as const)
  if (members.some(([, value]) => value !== undefined && typeof value !== 'string')) return null
  const message = Object.fromEntries(members) as SnsMessage
  return needed.every((name) => message[name] !== undefined) && snsTypes.includes(message.Type) ? message : null
}

const signedMembers = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

/** The signed text; null where a member of it is absent. Only a subject may be. */
export function signedTextOf(message: SnsMessage): string | null {
  const members = signedMembers[message.Type].filter((name) => name !== 'Subject' || message.Subject !== undefined)
  if (members.some((name) => message[name] === undefined)) return null
  return members.map((name) => `${name}\n${message[name]}\n`).join('')
}

const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/
const addressLengthMax = 2048
/**
 * Read as text before any parser does: parsers drop tabs and line ends, turn backslashes, and disagree about what stands
 * before an `@`. Nothing but the scheme, a host of plain letters, and what is behind the first slash.
 */
const plainAddress = /^https:\/\/([a-z0-9.-]+)\/[\w.~/?=&%:+-]*$/

/** The address of a certificate, where it is one of Amazon SNS: anyone can have `evil.example`, and a bucket at amazonaws.com too. */
export function isCertificateUrl(text: string): boolean {
  const url = snsUrl(text)
  return url !== null && url.search === '' && url.pathname.endsWith('.pem')
}

/** The address that confirms a subscription. */
export function isSubscribeUrl(text: string): boolean {
  return snsUrl(text)?.searchParams.get('Action') === 'ConfirmSubscription'
}

function snsUrl(text: string): URL | null {
  const named = text.length <= addressLengthMax ? plainAddress.exec(text)?.[1] : undefined
  if (named === undefined || !host.test(named) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  return isPlain && url.hash === '' && url.hostname === named ? url : null
}
