import type { ParsedMail } from './parse-mail.ts'

const statusLine = /^Status:[ \t]{0,5}([45])\.\d{1,3}\.\d{1,3}/im
const reportBytesMax = 64 * 1024

/** What a delivery report (RFC 3464) says: 5 permanent, 4 temporary; null where it says neither. */
export function bounceClass({ attachments, text }: Pick<ParsedMail, 'attachments' | 'text'>): 4 | 5 | null {
  const reports = attachments
    .filter(({ type }) => type === 'message/delivery-status')
    .map(({ content }) => Buffer.from(content).subarray(0, reportBytesMax).toString('latin1'))
  for (const report of [...reports, (text ?? '').slice(0, reportBytesMax)]) {
    const [, found] = statusLine.exec(report) ?? []
    if (found !== undefined) return found === '5' ? 5 : 4
  }
  return null
}
