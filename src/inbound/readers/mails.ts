import { type FormFields, fieldBytesOf, fieldOf } from '../form-fields.ts'
import { type Json, valueAt } from '../json.ts'
import { type Received, Unprocessable } from '../processing.ts'
import { headerOf, headersOf, type MailHeaders, plainTextOf, splitPart, textIn } from './mime.ts'
import { ignored, type MailForm, type NormalForm } from './normal-form.ts'
import { cleanLine, cleanText, formOf, lineOf, listAt, readJson } from './payload.ts'

const textLengthMax = 200_000
const subjectLengthMax = 1000
const addressesMax = 100

type Sent = Pick<Received, 'body' | 'contentType'>

/** https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html, in the `Message` of an SNS notification. */
export function readSns({ body }: Sent): NormalForm {
  const notification = readJson(body.toString('utf8'))
  const type = lineOf(valueAt(notification, 'Type'), 100) ?? 'Notification'
  if (type !== 'Notification') return ignored(`Nothing follows from ${type}.`)
  const message = valueAt(notification, 'Message')
  if (typeof message !== 'string') throw new Unprocessable('The notification holds no message.')
  // What SES says in plain text when a rule is set up with the topic.
  if (message.startsWith('Successfully validated SNS topic')) return ignored('Amazon SES tried the topic out.')
  const notice = readJson(message)
  const kind = lineOf(valueAt(notice, 'notificationType'), 100) ?? lineOf(valueAt(notice, 'eventType'), 100)
  if (kind !== 'Received') return ignored(`Nothing follows from ${kind ?? 'a notification without a type'}.`)
  const mail = valueAt(notice, 'mail')
  const receipt = valueAt(notice, 'receipt')
  const verdicts = ['spf', 'dkim', 'dmarc', 'spam', 'virus'].map(
    (name) => [name, lineOf(valueAt(receipt, `${name}Verdict`, 'status'), 50)] as const,
  )
  const known = {
    envelopeFrom: stringOf(valueAt(mail, 'source')),
    to: textsOf(valueAt(receipt, 'recipients') ?? valueAt(mail, 'destination')),
    verdicts: Object.fromEntries(verdicts.filter((verdict): verdict is [string, string] => verdict[1] !== null)),
  }
  const content = valueAt(notice, 'content')
  if (typeof content !== 'string') return elsewhere(listAt(valueAt(mail, 'headers'), 500), known)
  const isEncoded = stringOf(valueAt(receipt, 'action', 'encoding'))?.toUpperCase() === 'BASE64'
  return mailOf(Buffer.from(content, isEncoded ? 'base64' : 'utf8'), known)
}

/** The rule of Amazon SES put the mail into a bucket, and tells of its headers alone. */
function elsewhere(sent: Json[], known: Envelope): MailForm {
  const headers = sent.map((header): [string, string] => [
    (lineOf(valueAt(header, 'name'), 200) ?? '').toLowerCase(),
    cleanText(stringOf(valueAt(header, 'value')) ?? '', 20_000),
  ])
  return { ...fromHeaders(headers, known), text: '', raw: null }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http: parsed, or as `body-mime`. */
export function readMailgun({ body, contentType }: Sent): NormalForm {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing follows from what became of a mail that was sent.')
  const fields = formOf({ body, contentType })
  const text = (name: string) => fieldOf(fields, name)
  const known = { envelopeFrom: text('sender'), to: addressesOf(text('recipient') ?? ''), verdicts: {} }
  const mime = fieldBytesOf(fields, 'body-mime')
  if (mime !== null) return mailOf(mime, known)
  const listed = listAt(readJson(text('message-headers') ?? '[]'), 500)
  const headers = [
    ...listed.map((pair): [string, string] => [
      (lineOf(valueAt(pair, 0), 200) ?? '').toLowerCase(),
      cleanText(stringOf(valueAt(pair, 1)) ?? '', 20_000),
    ]),
    ...['from', 'subject', 'message-id', 'in-reply-to', 'references'].flatMap((name) => namedAs(fields, name)),
  ]
  if (headers.length === 0) throw new Unprocessable('The form holds no mail.')
  const spoken = text('body-plain') ?? ''
  return {
    ...fromHeaders(headers, known),
    text: cleanText(spoken, textLengthMax),
    raw: { bytes: body, type: contentType },
  }
}

/** Mailgun writes some names of fields as the header (`Message-Id`) and some in lower case (`from`). */
function namedAs(fields: FormFields, name: string): MailHeaders {
  const known = fields.keys().find((field) => field.toLowerCase() === name)
  const value = known === undefined ? null : fieldOf(fields, known)
  return value === null ? [] : [[name, cleanText(value, 20_000)]]
}

/** https://postmarkapp.com/developer/webhooks/inbound-webhook */
export function readPostmark({ body, contentType }: Sent): NormalForm {
  const payload = readJson(body.toString('utf8'))
  const record = lineOf(valueAt(payload, 'RecordType'), 100)
  if (record !== null && record !== 'Inbound') return ignored(`Nothing follows from ${record}.`)
  const from = stringOf(valueAt(payload, 'From'))
  if (from === null) throw new Unprocessable('The delivery holds no sender of a mail.')
  const to = stringOf(valueAt(payload, 'OriginalRecipient')) || (stringOf(valueAt(payload, 'To')) ?? '')
  const known = { envelopeFrom: null, to: addressesOf(to), verdicts: {} }
  const raw = stringOf(valueAt(payload, 'RawEmail'))
  if (raw !== null && raw !== '') return mailOf(Buffer.from(raw), known)
  const headers = [
    ...listAt(valueAt(payload, 'Headers'), 500).map((header): [string, string] => [
      (lineOf(valueAt(header, 'Name'), 200) ?? '').toLowerCase(),
      cleanText(stringOf(valueAt(header, 'Value')) ?? '', 20_000),
    ]),
    ['from', cleanText(from, 2000)] satisfies [string, string],
    ['subject', cleanText(stringOf(valueAt(payload, 'Subject')) ?? '', 2000)] satisfies [string, string],
  ]
  const text = cleanText(stringOf(valueAt(payload, 'TextBody')) ?? '', textLengthMax)
  return { ...fromHeaders(headers, known), text, raw: { bytes: body, type: contentType } }
}

/** https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook: parsed, or raw as `email`. */
export function readSendgrid({ body, contentType }: Sent): NormalForm {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing follows from what became of a mail that was sent.')
  const fields = formOf({ body, contentType })
  const envelope = readJson(fieldOf(fields, 'envelope') ?? '{}')
  const verdicts = ['SPF', 'dkim', 'spam_score'].flatMap((name) => {
    const verdict = cleanLine(fieldOf(fields, name) ?? '', 200)
    return verdict === '' ? [] : [[name.toLowerCase(), verdict]]
  })
  const known = {
    envelopeFrom: stringOf(valueAt(envelope, 'from')),
    to: textsOf(valueAt(envelope, 'to')),
    verdicts: Object.fromEntries(verdicts),
  }
  const mime = fieldBytesOf(fields, 'email')
  if (mime !== null) return mailOf(mime, known)
  const headers = fieldBytesOf(fields, 'headers')
  if (headers === null) throw new Unprocessable('The form holds no mail.')
  const charset = stringOf(valueAt(readJson(fieldOf(fields, 'charsets') ?? '{}'), 'text')) ?? 'utf-8'
  const text = cleanText(textIn(fieldBytesOf(fields, 'text') ?? Buffer.alloc(0), charset), textLengthMax)
  return { ...fromHeaders(headersOf(headers), known), text, raw: { bytes: body, type: contentType } }
}

type Envelope = Pick<MailForm, 'envelopeFrom' | 'to' | 'verdicts'>

function mailOf(bytes: Buffer, known: Envelope): MailForm {
  const mail = splitPart(bytes)
  const text = cleanText(plainTextOf(mail), textLengthMax)
  return { ...fromHeaders(mail.headers, known), text, raw: { bytes, type: 'message/rfc822' } }
}

function fromHeaders(headers: MailHeaders, known: Envelope): Omit<MailForm, 'text' | 'raw'> {
  const value = (name: string) => headerOf(headers, name) ?? ''
  const [messageId = null] = idsOf(value('message-id'), 1)
  const [inReplyTo = null] = idsOf(value('in-reply-to'), 1)
  const recipients = known.to.length > 0 ? known.to : addressesOf(`${value('to')},${value('cc')}`)
  return {
    kind: 'email.received',
    messageId,
    inReplyTo,
    references: idsOf(value('references'), 100),
    from: addressesOf(value('from'))[0] ?? '',
    envelopeFrom: known.envelopeFrom === null ? null : cleanLine(known.envelopeFrom, 320),
    to: recipients.slice(0, addressesMax),
    subject: cleanLine(value('subject'), subjectLengthMax),
    verdicts: known.verdicts,
  }
}

/** Message ids with their brackets; an id without any stands alone. */
function idsOf(value: string, max: number): string[] {
  const bracketed = value.match(/<[^<>\s]{1,998}>/g) ?? (/^[^<>\s]{1,998}$/.test(value) ? [`<${value}>`] : [])
  return bracketed.slice(0, max).map((id) => cleanLine(id, 1000))
}

/** The addresses of a header, without names, comments and groups. */
function addressesOf(value: string): string[] {
  const bare = value
    .slice(0, 20_000)
    .replace(/"(?:[^"\\]|\\.){0,500}"/g, ' ')
    .replace(/\([^()]{0,500}\)/g, ' ')
  const found = bare.split(/[,;]/).map((one) => /<([^<>]{1,400})>/.exec(one)?.[1] ?? one.split(':').at(-1) ?? '')
  return found.map((address) => cleanLine(address, 320)).filter((address) => /^[^\s@]+@[^\s@]+$/.test(address))
}

function textsOf(value: Json | undefined): string[] {
  return listAt(value, addressesMax).flatMap((one) => lineOf(one, 320) ?? [])
}

function stringOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
