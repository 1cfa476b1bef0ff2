import { type FormFields, fieldBytes, fieldText } from '../../http/uploads/buffered-form.ts'
import { type Json, valueAt } from '../json.ts'
import { type ReceivedDelivery, Unprocessable } from '../processing.ts'
import { decodeText, headerValue, type MailHeaders, parseHeaders, plainText, splitPart } from './mime.ts'
import { ignored, type NormalizedDelivery, type ReceivedMail } from './normalized-delivery.ts'
import { cleanLine, cleanText, listAt, oneLine, readFormFields, readJson } from './payload.ts'

const textLengthMax = 200_000
const subjectLengthMax = 1000
const addressesMax = 100

type DeliveryBody = Pick<ReceivedDelivery, 'body' | 'contentType'>

/** https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html, in the `Message` of an SNS notification. */
export function readSns({ body }: DeliveryBody): NormalizedDelivery {
  const notification = readJson(body.toString('utf8'))
  const type = oneLine(valueAt(notification, 'Type'), 100) ?? 'Notification'
  if (type !== 'Notification') return ignored(`Nothing is done for ${type}.`)
  const message = valueAt(notification, 'Message')
  if (typeof message !== 'string') throw new Unprocessable('The notification has no Message.')
  // SES sends this plain text when a rule is set up with the topic.
  if (message.startsWith('Successfully validated SNS topic')) return ignored('Amazon SES tested the topic.')
  const notice = readJson(message)
  const kind = oneLine(valueAt(notice, 'notificationType'), 100) ?? oneLine(valueAt(notice, 'eventType'), 100)
  if (kind !== 'Received') return ignored(`Nothing is done for ${kind ?? 'a notification without a type'}.`)
  const mail = valueAt(notice, 'mail')
  const receipt = valueAt(notice, 'receipt')
  const verdicts = ['spf', 'dkim', 'dmarc', 'spam', 'virus'].map(
    (name) => [name, oneLine(valueAt(receipt, `${name}Verdict`, 'status'), 50)] as const,
  )
  const envelope = {
    envelopeFrom: stringOrNull(valueAt(mail, 'source')),
    to: texts(valueAt(receipt, 'recipients') ?? valueAt(mail, 'destination')),
    verdicts: Object.fromEntries(verdicts.filter((verdict): verdict is [string, string] => verdict[1] !== null)),
  }
  const content = valueAt(notice, 'content')
  if (typeof content !== 'string') return mailWithoutContent(listAt(valueAt(mail, 'headers'), 500), envelope)
  const isEncoded = stringOrNull(valueAt(receipt, 'action', 'encoding'))?.toUpperCase() === 'BASE64'
  return parseMail(Buffer.from(content, isEncoded ? 'base64' : 'utf8'), envelope)
}

/** The rule of Amazon SES stored the mail in a bucket. The notification contains only its headers. */
function mailWithoutContent(listed: Json[], envelope: Envelope): ReceivedMail {
  const headers = listed.map((header): [string, string] => [
    (oneLine(valueAt(header, 'name'), 200) ?? '').toLowerCase(),
    cleanText(stringOrNull(valueAt(header, 'value')) ?? '', 20_000),
  ])
  return { ...mailFromHeaders(headers, envelope), text: '', raw: null }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http: parsed, or as `body-mime`. */
export async function readMailgun({ body, contentType }: DeliveryBody): Promise<NormalizedDelivery> {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing is done for the status of a mail that was sent.')
  const fields = await readFormFields({ body, contentType })
  const text = (name: string) => fieldText(fields, name)
  const envelope = { envelopeFrom: text('sender'), to: parseAddresses(text('recipient') ?? ''), verdicts: {} }
  const mime = fieldBytes(fields, 'body-mime')
  if (mime !== null) return parseMail(mime, envelope)
  const listed = listAt(readJson(text('message-headers') ?? '[]'), 500)
  const headers = [
    ...listed.map((pair): [string, string] => [
      (oneLine(valueAt(pair, 0), 200) ?? '').toLowerCase(),
      cleanText(stringOrNull(valueAt(pair, 1)) ?? '', 20_000),
    ]),
    ...['from', 'subject', 'message-id', 'in-reply-to', 'references'].flatMap((name) => headerField(fields, name)),
  ]
  if (headers.length === 0) throw new Unprocessable('The form has no mail.')
  return {
    ...mailFromHeaders(headers, envelope),
    text: cleanText(text('body-plain') ?? '', textLengthMax),
    raw: { bytes: body, type: contentType },
  }
}

/** Mailgun writes some field names like the header (`Message-Id`) and some in lower case (`from`). */
function headerField(fields: FormFields, name: string): MailHeaders {
  const fieldName = fields.keys().find((field) => field.toLowerCase() === name)
  const value = fieldName === undefined ? null : fieldText(fields, fieldName)
  return value === null ? [] : [[name, cleanText(value, 20_000)]]
}

/** https://postmarkapp.com/developer/webhooks/inbound-webhook */
export function readPostmark({ body, contentType }: DeliveryBody): NormalizedDelivery {
  const payload = readJson(body.toString('utf8'))
  const record = oneLine(valueAt(payload, 'RecordType'), 100)
  if (record !== null && record !== 'Inbound') return ignored(`Nothing is done for ${record}.`)
  const from = stringOrNull(valueAt(payload, 'From'))
  if (from === null) throw new Unprocessable('The delivery has no From.')
  const to = stringOrNull(valueAt(payload, 'OriginalRecipient')) || (stringOrNull(valueAt(payload, 'To')) ?? '')
  const envelope = { envelopeFrom: null, to: parseAddresses(to), verdicts: {} }
  const raw = stringOrNull(valueAt(payload, 'RawEmail'))
  if (raw !== null && raw !== '') return parseMail(Buffer.from(raw), envelope)
  const headers = [
    ...listAt(valueAt(payload, 'Headers'), 500).map((header): [string, string] => [
      (oneLine(valueAt(header, 'Name'), 200) ?? '').toLowerCase(),
      cleanText(stringOrNull(valueAt(header, 'Value')) ?? '', 20_000),
    ]),
    ['from', cleanText(from, 2000)] satisfies [string, string],
    ['subject', cleanText(stringOrNull(valueAt(payload, 'Subject')) ?? '', 2000)] satisfies [string, string],
  ]
  const text = cleanText(stringOrNull(valueAt(payload, 'TextBody')) ?? '', textLengthMax)
  return { ...mailFromHeaders(headers, envelope), text, raw: { bytes: body, type: contentType } }
}

/** https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook: parsed, or raw as `email`. */
export async function readSendgrid({ body, contentType }: DeliveryBody): Promise<NormalizedDelivery> {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing is done for the status of a mail that was sent.')
  const fields = await readFormFields({ body, contentType })
  const smtpEnvelope = readJson(fieldText(fields, 'envelope') ?? '{}')
  const verdicts = ['SPF', 'dkim', 'spam_score'].flatMap((name) => {
    const verdict = cleanLine(fieldText(fields, name) ?? '', 200)
    return verdict === '' ? [] : [[name.toLowerCase(), verdict]]
  })
  const envelope = {
    envelopeFrom: stringOrNull(valueAt(smtpEnvelope, 'from')),
    to: texts(valueAt(smtpEnvelope, 'to')),
    verdicts: Object.fromEntries(verdicts),
  }
  const mime = fieldBytes(fields, 'email')
  if (mime !== null) return parseMail(mime, envelope)
  const headers = fieldBytes(fields, 'headers')
  if (headers === null) throw new Unprocessable('The form has no mail.')
  const charset = stringOrNull(valueAt(readJson(fieldText(fields, 'charsets') ?? '{}'), 'text')) ?? 'utf-8'
  const text = cleanText(decodeText(fieldBytes(fields, 'text') ?? Buffer.alloc(0), charset), textLengthMax)
  return { ...mailFromHeaders(parseHeaders(headers), envelope), text, raw: { bytes: body, type: contentType } }
}

type Envelope = Pick<ReceivedMail, 'envelopeFrom' | 'to' | 'verdicts'>

function parseMail(bytes: Buffer, envelope: Envelope): ReceivedMail {
  const mail = splitPart(bytes)
  const text = cleanText(plainText(mail), textLengthMax)
  return { ...mailFromHeaders(mail.headers, envelope), text, raw: { bytes, type: 'message/rfc822' } }
}

function mailFromHeaders(headers: MailHeaders, envelope: Envelope): Omit<ReceivedMail, 'text' | 'raw'> {
  const value = (name: string) => headerValue(headers, name) ?? ''
  const [messageId = null] = messageIds(value('message-id'), 1)
  const [inReplyTo = null] = messageIds(value('in-reply-to'), 1)
  const recipients = envelope.to.length > 0 ? envelope.to : parseAddresses(`${value('to')},${value('cc')}`)
  return {
    kind: 'email.received',
    messageId,
    inReplyTo,
    references: messageIds(value('references'), 100),
    from: parseAddresses(value('from'))[0] ?? '',
    envelopeFrom: envelope.envelopeFrom === null ? null : cleanLine(envelope.envelopeFrom, 320),
    to: recipients.slice(0, addressesMax),
    subject: cleanLine(value('subject'), subjectLengthMax),
    verdicts: envelope.verdicts,
  }
}

/** Message ids with their brackets. A single id may come without brackets. */
function messageIds(value: string, max: number): string[] {
  const bracketed = value.match(/<[^<>\s]{1,998}>/g) ?? (/^[^<>\s]{1,998}$/.test(value) ? [`<${value}>`] : [])
  return bracketed.slice(0, max).map((id) => cleanLine(id, 1000))
}

/** The addresses of a header, without names, comments and groups. */
function parseAddresses(value: string): string[] {
  const bare = value
    .slice(0, 20_000)
    .replace(/"(?:[^"\\]|\\.){0,500}"/g, ' ')
    .replace(/\([^()]{0,500}\)/g, ' ')
  const found = bare.split(/[,;]/).map((one) => /<([^<>]{1,400})>/.exec(one)?.[1] ?? one.split(':').at(-1) ?? '')
  return found.map((address) => cleanLine(address, 320)).filter((address) => /^[^\s@]+@[^\s@]+$/.test(address))
}

function texts(value: Json | undefined): string[] {
  return listAt(value, addressesMax).flatMap((one) => oneLine(one, 320) ?? [])
}

function stringOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
