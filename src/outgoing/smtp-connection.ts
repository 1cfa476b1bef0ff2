import { isIP } from 'node:net'

/** `url`: `smtp(s)://user:password@host:port`; `from`: the sender's address. */
export type SmtpSettings = { url: string; from: string }

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 20_000

/** How the mail client connects to the mail server of the installation. */
export function connectionOptions(url: URL, from: string) {
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const hasLogin = url.username !== ''
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    name: addressDomain(from),
    // A password is only sent encrypted.
    requireTLS: !secure && hasLogin && !isLoopback(host),
    ...(hasLogin ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } } : {}),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A 5yz for the envelope or the message. One for our login says nothing about the mail: an operator can fix it. */
export function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode < 600
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

export function addressDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
