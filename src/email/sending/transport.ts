import { promisify } from 'node:util'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { guardedLookup, resolverFor } from '../../outgoing/host-lookup.ts'
import { connectionOptions, isRefusal, type SmtpSettings } from '../../outgoing/smtp-connection.ts'
import type { AllowedHosts } from '../../outgoing/target-address.ts'
import type { Security } from '../configs/config.rules.ts'

/** The mail server rejects this mail for good. */
export class Rejected extends Error {}

export type MailTransport = {
  /** Rejects with Rejected where another attempt would not help. */
  send(mail: SendMailOptions): Promise<void>
  /** Connects and logs in, and sends nothing. */
  verify(): Promise<void>
}

export function platformTransport({ url, from }: SmtpSettings): MailTransport {
  return transportWith(async () => connectionOptions(new URL(url), from))
}

type Server = {
  host: string
  port: number
  security: Security
  login: { user: string; pass: string } | null
}

/** The server of a tenant. Its address is looked up once and has to be allowed, and the connection goes to that address. */
export function tenantTransport({ host, port, security, login }: Server, allowedHosts: AllowedHosts): MailTransport {
  return transportWith(async () => {
    const lookup = promisify(guardedLookup(resolverFor(allowedHosts), allowedHosts)) as unknown as (
      name: string,
      options: { all: false },
    ) => Promise<string>
    return {
      host: await lookup(host, { all: false }),
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { servername: host },
      ...(login === null ? {} : { auth: login }),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  })
}

function transportWith(readOptions: () => Promise<object>): MailTransport {
  async function connected(work: (transport: Transporter) => Promise<unknown>): Promise<void> {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport(await readOptions())
    try {
      await work(transport)
    } catch (error) {
      throw isRefusal(error) ? new Rejected((error as Error).message) : error
    } finally {
      transport.close()
    }
  }
  return {
    send: (mail) => connected((transport) => transport.sendMail(mail)),
    verify: () => connected((transport) => transport.verify()),
  }
}
