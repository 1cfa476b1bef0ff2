import type { ParsedMail } from './parse-mail.ts'

const partBytesMax = 64 * 1024
const reportsMax = 3

/** What a complaint (RFC 5965) says about the mail that somebody reported as spam. */
export type Complaint = {
  /** The envelope senders of that mail. */
  mailFrom: string[]
  messageIds: string[]
}

/** Null for a mail that is no complaint. A report that a mail is no spam is none either. */
export function readComplaint({ attachments }: Pick<ParsedMail, 'attachments'>): Complaint | null {
  const texts = (type: RegExp) =>
    attachments
      .filter((part) => type.test(part.type))
      .slice(0, reportsMax)
      .map(({ content }) => Buffer.from(content).subarray(0, partBytesMax).toString('latin1'))
  const reports = texts(/^message\/feedback-report$/).filter((report) =>
    /^Feedback-Type:[ \t]{0,5}abuse\b/im.test(report),
  )
  if (reports.length === 0) return null
  const originals = texts(/^(?:message\/rfc822|text\/rfc822-headers)$/)
  return {
    mailFrom: reports.flatMap(
      (report) => /^Original-Mail-From:[ \t]{0,5}<?([^\s<>]{3,320})>?/im.exec(report)?.[1] ?? [],
    ),
    messageIds: originals.flatMap((text) => /^Message-ID:\s{0,20}(<[^<>\s]{3,998}>)/im.exec(text)?.[1] ?? []),
  }
}
