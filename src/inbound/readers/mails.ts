import { type FormFields, fieldBytes, fieldText } from '../../http/uploads/buffered-form.ts'
import { cleanLine, cleanText } from '../../kernel/clean-text.ts'
import { MailTooComplex } from '../../mime/mail-limits.ts'
import type { ParsedMail } from '../../mime/parse-mail.ts'
import { readMail } from '../../mime/read-mail.ts'
import { type Json, valueAt } from '../json.ts'
import { type ReceivedDelivery, Unprocessable } from '../processing.ts'
import { readPostmarkReport, readSesReport } from './mail-reports.ts'
import { ignored, type NormalizedDelivery, type ReceivedMail } from './normalized-delivery.ts'
import { listAt, oneLine, readFormFields, readJson } from './payload.ts'

const textLengthMax = 200_000
const subjectLengthMax = 1000
const addressesMax = 100

type DeliveryBody = Pick<ReceivedDelivery, 'body' | 'contentType'>

/** Mails, bounces and complaints: https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html, in the `Message` of an SNS notification. */
export async function readSns({ body }: DeliveryBody): Promise<NormalizedDelivery> {
  const notification = readJson(body.toString('utf8'))
  const type = oneLine(valueAt(notification, 'Type'), 100) ?? 'Notification'
  if (type !== 'Notification') return ignored(`Nothing is done for ${type}.`)
  const message = valueAt(notification, 'Message')
  if (typeof message !== 'string') throw new Unprocessable('The notification has no Message.')
  // SES sends this plain text when a rule is set up with the topic.
  if (message.startsWith('Successfully validated SNS topic')) return ignored('Amazon SES tested the topic.')
  const notice = readJson(message)
  const kind = oneLine(valueAt(notice, 'notificationType'), 100) ?? oneLine(valueAt(notice, 'eventType'), 100)
  if (kind !== 'Received') return readSesReport(notice, kind)
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
  return readRawMail(Buffer.from(content, isEncoded ? 'base64' : 'utf8'), envelope)
}

/** The rule of Amazon SES stored the mail in a bucket. The notification contains only its headers. */
async function mailWithoutContent(listed: Json[], envelope: Envelope): Promise<ReceivedMail> {
  const headers = listed.map((header): [string, string] => [
    (oneLine(valueAt(header, 'name'), 200) ?? '').toLowerCase(),
    cleanText(stringOrNull(valueAt(header, 'value')) ?? '', 20_000),
  ])
  return { ...(await mailFromHeaders(headers, envelope)), text: '', raw: null }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http: parsed, or as `body-mime`. */
export async function readMailgun({ body, contentType }: DeliveryBody): Promise<NormalizedDelivery> {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing is done for the status of a mail that was sent.')
  const fields = await readFormFields({ body, contentType })
  const text = (name: string) => fieldText(fields, name)
  const envelope = { envelopeFrom: text('sender'), to: parseAddresses(text('recipient') ?? ''), verdicts: {} }
  const mime = fieldBytes(fields, 'body-mime')
  if (mime !== null) return readRawMail(mime, envelope)
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
    ...(await mailFromHeaders(headers, envelope)),
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
export async function readPostmark({ body, contentType }: DeliveryBody): Promise<NormalizedDelivery> {
  const payload = readJson(body.toString('utf8'))
  const record = oneLine(valueAt(payload, 'RecordType'), 100)
  if (record !== null && record !== 'Inbound') return readPostmarkReport(payload, record)
  const from = stringOrNull(valueAt(payload, 'From'))
  if (from === null) throw new Unprocessable('The delivery has no From.')
  const to = stringOrNull(valueAt(payload, 'OriginalRecipient')) || (stringOrNull(valueAt(payload, 'To')) ?? '')
  const envelope = { envelopeFrom: null, to: parseAddresses(to), verdicts: {} }
  const raw = stringOrNull(valueAt(payload, 'RawEmail'))
  if (raw !== null && raw !== '') return readRawMail(Buffer.from(raw), envelope)
  const headers = [
    ...listAt(valueAt(payload, 'Headers'), 500).map((header): [string, string] => [
      (oneLine(valueAt(header, 'Name'), 200) ?? '').toLowerCase(),
      cleanText(stringOrNull(valueAt(header, 'Value')) ?? '', 20_000),
    ]),
    ['from', cleanText(from, 2000)] satisfies [string, string],
    ['subject', cleanText(stringOrNull(valueAt(payload, 'Subject')) ?? '', 2000)] satisfies [string, string],
  ]
  const text = cleanText(stringOrNull(valueAt(payload, 'TextBody')) ?? '', textLengthMax)
  return { ...(await mailFromHeaders(headers, envelope)), text, raw: { bytes: body, type: contentType } }
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
  if (mime !== null) return readRawMail(mime, envelope)
  const headers = fieldBytes(fields, 'headers')
  if (headers === null) throw new Unprocessable('The form has no mail.')
  const charset = stringOrNull(valueAt(readJson(fieldText(fields, 'charsets') ?? '{}'), 'text')) ?? 'utf-8'
  const text = cleanText(decodeText(fieldBytes(fields, 'text') ?? Buffer.alloc(0), charset), textLengthMax)
  return { ...mailFields(await parseHead(headers), envelope), text, raw: { bytes: body, type: contentType } }
}

type Envelope = Pick<ReceivedMail, 'envelopeFrom' | 'to' | 'verdicts'>

/** A mail that cannot be read is stored all the same, with what its headers say. */
async function readRawMail(bytes: Buffer, envelope: Envelope): Promise<ReceivedMail> {
  const mail = await readMail(bytes).catch((error: unknown) => {
    if (error instanceof MailTooComplex) return parseHead(headOf(bytes))
    throw error
  })
  return {
    ...mailFields(mail, envelope),
    text: cleanText(mail.text, textLengthMax),
    raw: { bytes, type: 'message/rfc822' },
  }
}

const headBytesMax = 64 * 1024

function headOf(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, headBytesMax)
  const end = /\r?\n\r?\n/.exec(head.toString('latin1'))
  return end === null ? head : head.subarray(0, end.index)
}

/** A block of headers, read as a mail without a text. */
function parseHead(head: Buffer): Promise<ParsedMail> {
  return readMail(Buffer.concat([head, Buffer.from('\r\n\r\n')]))
}

type MailHeaders = [name: string, value: string][]

async function mailFromHeaders(headers: MailHeaders, envelope: Envelope) {
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`)
  return mailFields(await parseHead(Buffer.from(lines.join('\r\n'))), envelope)
}

function mailFields(mail: ParsedMail, envelope: Envelope): Omit<ReceivedMail, 'text' | 'raw'> {
  const { messageId, inReplyTo, references, from, to, cc, subject } = mail
  const recipients = envelope.to.length > 0 ? envelope.to : [...to, ...cc].map(({ address }) => address)
  return {
    kind: 'email.received',
    messageId: messageId && cleanLine(messageId, 1000),
    inReplyTo: inReplyTo && cleanLine(inReplyTo, 1000),
    references: references.map((id) => cleanLine(id, 1000)),
    from: cleanLine(from[0]?.address ?? '', 320),
    envelopeFrom: envelope.envelopeFrom === null ? null : cleanLine(envelope.envelopeFrom, 320),
    to: recipients.slice(0, addressesMax).map((address) => cleanLine(address, 320)),
    subject: cleanLine(subject, subjectLengthMax),
    verdicts: envelope.verdicts,
  }
}

/** The addresses of a list in a field of a form, without names, comments and groups. */
function parseAddresses(value: string): string[] {
  const bare = value
    .slice(0, 20_000)
    .replace(/"(?:[^"\\]|\\.){0,500}"/g, ' ')
    .replace(/\([^()]{0,500}\)/g, ' ')
  const found = bare.split(/[,;]/).map((one) => /<([^<>]{1,400})>/.exec(one)?.[1] ?? one.split(':').at(-1) ?? '')
  return found.map((address) => cleanLine(address, 320)).filter((address) => /^[^\s@]+@[^\s@]+$/.test(address))
}

/** From the named character set, or from UTF-8 where it is unknown. */
function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

function texts(value: Json | undefined): string[] {
  return listAt(value, addressesMax).flatMap((one) => oneLine(one, 320) ?? [])
}

function stringOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
