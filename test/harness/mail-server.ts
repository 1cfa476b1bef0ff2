import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = {
  from: string
  to: string[]
  /** By name in lower case. Encoded words are decoded. */
  headers: Record<string, string>
  text: string
  html: string
  /** As it was sent. */
  raw: Buffer
}

export type MailServer = {
  url: string
  port: number
  received: ReceivedMail[]
  /** Rejects the next mails with these answers, one for each mail. Later mails are accepted. */
  refuse(...answers: [status: number, message: string][]): void
  /** Waits for the next mail to the address that was not returned before. */
  mailTo(address: string): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A real SMTP server on a free port of the loopback interface. */
export async function startMailServer(options: SMTPServerOptions & { login?: string } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const unread: ReceivedMail[] = []
  const refusals: [number, string][] = []
  let wake = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: options.login === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: true, // its certificate is not trusted
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      `${username}:${password}` === options.login ? done(null, { user: username }) : done(new Error('Wrong password')),
    onRcptTo: (_address, _session, done) => {
      const [status, message] = refusals.shift() ?? [250, '']
      return status === 250 ? done() : done(Object.assign(new Error(message), { responseCode: status }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const envelope = { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) }
        const raw = Buffer.concat(chunks)
        const mail = { ...envelope, ...parsed(raw.toString('utf8')), raw }
        received.push(mail)
        unread.push(mail)
        done()
        wake.resolve()
        wake = Promise.withResolvers()
      })
    },
    ...options,
  })
  server.on('error', () => undefined) // clients that disconnect
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo

  return {
    url: `smtp://${options.login === undefined ? '' : `${options.login}@`}127.0.0.1:${port}`,
    port,
    received,
    refuse: (...answers) => refusals.push(...answers),
    mailTo: async (address) => {
      for (;;) {
        const at = unread.findIndex(({ to }) => to.includes(address))
        if (at >= 0) return unread.splice(at, 1)[0] as ReceivedMail
        await wake.promise
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Parses the part of MIME (RFC 2045 to 2047) that our own mails use. */
function parsed(message: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = split(message)
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary === undefined ? [message] : body.split(`--${boundary}`).slice(1, -1)
  const partOf = (type: string) => {
    const part = parts
      .map((text) => split(text.replace(/^\r?\n/, '')))
      .find(({ headers: own }) => (own['content-type'] ?? 'text/plain').startsWith(type))
    return part === undefined ? '' : decoded(part.body, part.headers['content-transfer-encoding'] ?? '7bit')
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

function split(message: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = message.split(/\r?\n\r?\n/)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const pairs = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name.toLowerCase(), words(value.join(':').trim())]
  })
  return { headers: Object.fromEntries(pairs), body: rest.join('\r\n\r\n') }
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  return bytesOf(body.replace(/=\r?\n/g, '')).toString('utf8')
}

function words(header: string): string {
  return header
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : bytesOf(text.replaceAll('_', ' '))).toString('utf8'),
    )
}

function bytesOf(quoted: string): Buffer {
  const bytes = quoted.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
