import { addressDomain, connectionOptions, isRefusal, type SmtpSettings } from '../outgoing/smtp-connection.ts'
import type { Letter } from './letter.rules.ts'

export type Outgoing = Letter & {
  to: string
  /** The same in every attempt, so that a mailbox can recognize a repeat. */
  id: string
  date: Date
}

/** The server rejects this mail permanently (RFC 5321 section 4.2.1: 5yz). */
export class MailRefused extends Error {}

export type MailTransport = { send(mail: Outgoing): Promise<void> }

/** Sends by SMTP with one connection for each mail. Rejects with MailRefused where the mail is rejected, and with another error for any other problem. */
export function smtpTransport({ url, from }: SmtpSettings): MailTransport {
  const options = connectionOptions(new URL(url), from)
  return {
    async send({ id, to, date, fromName, replyTo, subject, text, html, unsubscribeUrl }) {
      // Loaded here, because most starts send no mail at once and loading takes time.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(options)
      try {
        await transport.sendMail({
          from: { name: fromName, address: from },
          to: { name: '', address: to }, // as an object it is never read as a list
          ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
          subject,
          text,
          html,
          date,
          messageId: `<${id}@${addressDomain(from)}>`,
          headers: {
            'Auto-Submitted': 'auto-generated', // RFC 3834: no out-of-office answers
            ...(unsubscribeUrl === null ? {} : unsubscribeHeaders(unsubscribeUrl)),
          },
        })
      } catch (error) {
        throw isRefusal(error) ? new MailRefused((error as Error).message) : error
      } finally {
        transport.close()
      }
    },
  }
}

/** One click in the mail program ends the mails (RFC 8058). */
function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
