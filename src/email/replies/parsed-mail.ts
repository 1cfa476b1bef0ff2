import type { ParsedMail } from '../../mime/parse-mail.ts'
import type { ReceivedMessage } from '../receiving/received-message.ts'
import type { ReceivedMail } from './received-mail.ts'

type Read = Pick<
  ParsedMail,
  'headers' | 'replyTo' | 'to' | 'cc' | 'attachments' | 'subject' | 'inReplyTo' | 'references' | 'messageId'
>

/** What a mail says, for the decision about an answer. */
export function readParts({ headers, replyTo, attachments, to, cc, ...read }: Read, from: string) {
  const { subject, inReplyTo, references } = read
  const others = [...to, ...cc].map(({ address }) => address.toLowerCase())
  const sender = headers.flatMap(([name, value]) => (name === 'sender' ? [addressIn(value)] : []))
  return {
    ...{ headers, subject, inReplyTo, references },
    from,
    recipients: [...new Set(others)].filter((address) => address !== from),
    senders: [from, ...sender, ...replyTo.map(({ address }) => address.toLowerCase())],
    contentTypes: [
      ...headers.flatMap(([name, value]) => (name === 'content-type' ? [value] : [])),
      ...attachments.map(({ type, method }) => (method === null ? type : `${type}; method=${method}`)),
    ],
  }
}

/** Null where nobody could be answered: the mail names no sender, or several. */
export function toReceivedMail(mail: ReceivedMessage): ReceivedMail | null {
  if (mail.from === null) return null
  const { id, threadId, ownerId, orgId, authenticity, isStranger, tag, text, envelopeFrom, verdicts } = mail
  return {
    ...{ id, threadId, ownerId, orgId, authenticity, isStranger, tag, text, envelopeFrom, verdicts },
    ...readParts(mail, mail.from.address.toLowerCase()),
    messageId: mail.messageId,
    quarantine: null,
  }
}

/** Of a header such as `Ana <ana@example.com>`. */
function addressIn(value: string): string {
  const [, inBrackets] = /<([^<>]{1,320})>/.exec(value) ?? []
  return (inBrackets ?? value).trim().toLowerCase().slice(0, 320)
}
