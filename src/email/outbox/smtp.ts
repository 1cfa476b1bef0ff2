import { isIP } from 'node:net'
import type { Letter } from './letter.rules.ts'

/** Where mails go out. `url`: `smtp(s)://user:password@host:port`; `from`: the address they come from. */
export type SmtpSettings = { url: string; from: string }

export type Outgoing = Letter & {
  to: string
  /** The same at every try, by which a mailbox knows a repeat. */
  id: string
  date: Date
}

/** The server will not take this mail, however often it is asked (RFC 5321 section 4.2.1: 5yz). */
export class MailRefused extends Error {}

export type Post = { send(mail: Outgoing): Promise<void> }

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 20_000

/** Sends by SMTP, one connection a mail. Rejects with MailRefused for a refusal of the mail, with any other error for trouble. */
export function smtpPost({ url, from }: SmtpSettings): Post {
  const options = connectionOptions(new URL(url), from)
  return {
    async send({ id, to, date, fromName, replyTo, subject, text, html }) {
      // Here and not above: most starts send no mail at once, and loading takes its time.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(options)
      try {
        await transport.sendMail({
          from: { name: fromName, address: from },
          to: { name: '', address: to }, // as an object it is never read as a list
          ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
          ...{ subject, text, html, date },
          messageId: `<${id}@${domainOf(from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no out-of-office answers
        })
      } catch (error) {
        throw isRefusal(error) ? new MailRefused((error as Error).message) : error
      } finally {
        transport.close()
      }
    },
  }
}

function connectionOptions(url: URL, from: string) {
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const hasLogin = url.username !== ''
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    name: domainOf(from),
    // A password goes over the network only encrypted.
    requireTLS: !secure && hasLogin && !isLoopback(host),
    ...(hasLogin ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } } : {}),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A 5yz to the envelope or the message. One to our login says nothing about the mail: an operator will mend it. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode < 600
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
