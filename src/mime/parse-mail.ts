import type { Address, Attachment, Email } from 'postal-mime'
import { cleanText } from '../kernel/clean-text.ts'
import { countParts } from './count-parts.ts'
import { htmlText } from './html-text.ts'
import { MailTooComplex, mailLimits } from './mail-limits.ts'
import { messageIds } from './message-ids.ts'

/** Names are in lower case. A name may occur several times. Values are as they were sent, on one line. */
export type MailHeader = readonly [name: string, value: string]

export type Mailbox = { address: string; name: string }

export type MailAttachment = {
  filename: string | null
  /** As the mail says: nobody has looked at the bytes. */
  type: string
  /** Of a calendar part, such as `REQUEST`. */
  method: string | null
  content: Uint8Array
}

/** A mail as it reads. Links are not followed, and nothing is loaded. */
export type ParsedMail = {
  headers: MailHeader[]
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  from: Mailbox[]
  replyTo: Mailbox[]
  to: Mailbox[]
  cc: Mailbox[]
  subject: string
  /** Its text, or what its HTML shows where it has none. Empty: neither. */
  text: string
  attachments: MailAttachment[]
}

const addressesMax = 200
/** Nobody reads more. */
const htmlLengthMax = 1_000_000
const textLengthMax = 200_000
const referencesMax = 100

/** Reads a mail in this thread. Throws MailTooComplex. */
export async function parseMail(bytes: Buffer): Promise<ParsedMail> {
  if (countParts(bytes) > mailLimits.partsMax) throw new MailTooComplex('TOO_MANY_PARTS')
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: mailLimits.depthMax,
    maxHeadersSize: mailLimits.headerBytesMax,
    // What a mail forwards is a file of it, and not a part of its own text.
    forceRfc822Attachments: true,
  }).catch((error: Error) => {
    throw new MailTooComplex(complexity(error.message))
  })
  if (mail.attachments.length > mailLimits.attachmentsMax) throw new MailTooComplex('TOO_MANY_ATTACHMENTS')
  if (mail.headers.length > mailLimits.headersMax) throw new MailTooComplex('HEADERS_TOO_LARGE')
  return parsedMail(mail)
}

function complexity(message: string) {
  if (/nesting/i.test(message)) return 'TOO_DEEP'
  return /header/i.test(message) ? 'HEADERS_TOO_LARGE' : 'UNREADABLE'
}

function parsedMail(mail: Email): ParsedMail {
  const [messageId = null] = messageIds(mail.messageId ?? '', 1)
  const [inReplyTo = null] = messageIds(mail.inReplyTo ?? '', 1)
  return {
    headers: mail.headers.map(({ key, value }) => [key, value]),
    messageId,
    inReplyTo,
    references: messageIds(mail.references ?? '', referencesMax),
    from: mailboxes(mail.from && [mail.from]),
    replyTo: mailboxes(mail.replyTo),
    to: mailboxes(mail.to),
    cc: mailboxes(mail.cc),
    subject: mail.subject ?? '',
    text: shownText(mail),
    attachments: mail.attachments.map(attachment),
  }
}

function shownText({ text, html }: Email): string {
  if (text?.trim()) return cleanText(text, textLengthMax)
  return html === undefined ? '' : cleanText(htmlText(html.slice(0, htmlLengthMax)), textLengthMax)
}

/** Without groups, and without what is no address. */
function mailboxes(addresses: readonly Address[] = []): Mailbox[] {
  const flat = addresses.flatMap((one) => (one.group ? one.group : [one]))
  return flat
    .filter(({ address = '' }) => address.length <= 320 && /^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+$/u.test(address))
    .map(({ address = '', name }) => ({ address, name }))
    .slice(0, addressesMax)
}

function attachment({ filename, mimeType, method, content }: Attachment): MailAttachment {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return { filename, type: mimeType, method: method ?? null, content: bytes }
}
