import { Unprocessable } from '../processing.ts'
import { type FormFields, formFieldsOf } from './form-fields.ts'
import { headerOf, headersOf, type MailHeaders, plainTextOf, splitPart, textIn } from './mime.ts'
import { ignored, type MailForm, type NormalForm } from './normal-form.ts'
import { at, cleanLine, cleanText, type Json, lineOf, listAt, readJson } from './payload.ts'

const textLengthMax = 200_000
const subjectLengthMax = 1000
const addressesMax = 100

export type MailBody = { bytes: Buffer; contentType: string }

/** https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html, in the `Message` of an SNS notification. */
export function readSns({ bytes }: MailBody): NormalForm {
  const notification = readJson(bytes.toString('utf8'))
  const type = lineOf(at(notification, 'Type'), 100) ?? 'Notification'
  if (type !== 'Notification') return ignored(`Nothing follows from ${type}.`)
  const message = at(notification, 'Message')
  if (typeof message !== 'string') throw new Unprocessable('The notification holds no message.')
  // What SES says in plain text when a rule is set up with the topic.
  if (message.startsWith('Successfully validated SNS topic')) return ignored('Amazon SES tried the topic out.')
  const notice = readJson(message)
  const kind = lineOf(at(notice, 'notificationType'), 100) ?? lineOf(at(notice, 'eventType'), 100)
  if (kind !== 'Received') return ignored(`Nothing follows from ${kind ?? 'a notification without a type'}.`)
  const mail = at(notice, 'mail')
  const receipt = at(notice, 'receipt')
  const verdicts = ['spf', 'dkim', 'dmarc', 'spam', 'virus'].map(
    (name) => [name, lineOf(at(receipt, `${name}Verdict`, 'status'), 50)] as const,
  )
  const known = {
    envelopeFrom: stringOf(at(mail, 'source')),
    to: textsOf(at(receipt, 'recipients') ?? at(mail, 'destination')),
    verdicts: Object.fromEntries(verdicts.filter((verdict): verdict is [string, string] => verdict[1] !== null)),
  }
  const content = at(notice, 'content')
  if (typeof content !== 'string') return elsewhere(listAt(at(mail, 'headers'), 500), known)
  const isEncoded = stringOf(at(receipt, 'action', 'encoding'))?.toUpperCase() === 'BASE64'
  return mailOf(Buffer.from(content, isEncoded ? 'base64' : 'utf8'), known)
}

/** The rule of Amazon SES put the mail into a bucket, and tells of its headers alone. */
function elsewhere(sent: Json[], known: Envelope): MailForm {
  const headers = sent.map((header): [string, string] => [
    (lineOf(at(header, 'name'), 200) ?? '').toLowerCase(),
    cleanText(stringOf(at(header, 'value')) ?? '', 20_000),
  ])
  return { ...fromHeaders(headers, known), text: '', raw: null }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http: parsed, or as `body-mime`. */
export function readMailgun({ bytes, contentType }: MailBody): NormalForm {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing follows from what became of a mail that was sent.')
  const fields = formFieldsOf(bytes, contentType)
  const text = (name: string) => fields.get(name)?.toString('utf8')
  const known = { envelopeFrom: text('sender') ?? null, to: addressesOf(text('recipient') ?? ''), verdicts: {} }
  const mime = fields.get('body-mime')
  if (mime !== undefined) return mailOf(mime, known)
  const listed = listAt(readJson(text('message-headers') ?? '[]'), 500)
  const headers = [
    ...listed.map((pair): [string, string] => [
      (lineOf(at(pair, 0), 200) ?? '').toLowerCase(),
      cleanText(stringOf(at(pair, 1)) ?? '', 20_000),
    ]),
    ...['from', 'subject', 'message-id', 'in-reply-to', 'references'].flatMap((name) => namedAs(fields, name)),
  ]
  if (headers.length === 0) throw new Unprocessable('The form holds no mail.')
  const spoken = text('body-plain') ?? ''
  return { ...fromHeaders(headers, known), text: cleanText(spoken, textLengthMax), raw: { bytes, type: contentType } }
}

/** Mailgun writes some names of fields as the header (`Message-Id`) and some in lower case (`from`). */
function namedAs(fields: FormFields, name: string): MailHeaders {
  const found = [...fields].find(([known]) => known.toLowerCase() === name)
  return found === undefined ? [] : [[name, cleanText(found[1].toString('utf8'), 20_000)]]
}

/** https://postmarkapp.com/developer/webhooks/inbound-webhook */
export function readPostmark({ bytes, contentType }: MailBody): NormalForm {
  const payload = readJson(bytes.toString('utf8'))
  const record = lineOf(at(payload, 'RecordType'), 100)
  if (record !== null && record !== 'Inbound') return ignored(`Nothing follows from ${record}.`)
  const from = stringOf(at(payload, 'From'))
  if (from === null) throw new Unprocessable('The delivery holds no sender of a mail.')
  const to = stringOf(at(payload, 'OriginalRecipient')) || (stringOf(at(payload, 'To')) ?? '')
  const known = { envelopeFrom: null, to: addressesOf(to), verdicts: {} }
  const raw = stringOf(at(payload, 'RawEmail'))
  if (raw !== null && raw !== '') return mailOf(Buffer.from(raw), known)
  const headers = [
    ...listAt(at(payload, 'Headers'), 500).map((header): [string, string] => [
      (lineOf(at(header, 'Name'), 200) ?? '').toLowerCase(),
      cleanText(stringOf(at(header, 'Value')) ?? '', 20_000),
    ]),
    ['from', cleanText(from, 2000)] satisfies [string, string],
    ['subject', cleanText(stringOf(at(payload, 'Subject')) ?? '', 2000)] satisfies [string, string],
  ]
  const text = cleanText(stringOf(at(payload, 'TextBody')) ?? '', textLengthMax)
  return { ...fromHeaders(headers, known), text, raw: { bytes, type: contentType } }
}

/** https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook: parsed, or raw as `email`. */
export function readSendgrid({ bytes, contentType }: MailBody): NormalForm {
  if (contentType.startsWith('application/json'))
    return ignored('Nothing follows from what became of a mail that was sent.')
  const fields = formFieldsOf(bytes, contentType)
  const envelope = readJson(fields.get('envelope')?.toString('utf8') ?? '{}')
  const verdicts = ['SPF', 'dkim', 'spam_score'].flatMap((name) => {
    const verdict = cleanLine(fields.get(name)?.toString('utf8') ?? '', 200)
    return verdict === '' ? [] : [[name.toLowerCase(), verdict]]
  })
  const known = {
    envelopeFrom: stringOf(at(envelope, 'from')),
    to: textsOf(at(envelope, 'to')),
    verdicts: Object.fromEntries(verdicts),
  }
  const mime = fields.get('email')
  if (mime !== undefined) return mailOf(mime, known)
  const headers = fields.get('headers')
  if (headers === undefined) throw new Unprocessable('The form holds no mail.')
  const charset = stringOf(at(readJson(fields.get('charsets')?.toString('utf8') ?? '{}'), 'text')) ?? 'utf-8'
  const text = cleanText(textIn(fields.get('text') ?? Buffer.alloc(0), charset), textLengthMax)
  return { ...fromHeaders(headersOf(headers), known), text, raw: { bytes, type: contentType } }
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
