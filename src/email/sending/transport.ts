import { promisify } from 'node:util'
import type { SendMailOptions } from 'nodemailer'
import { guardedLookup, resolverFor } from '../../outgoing/host-lookup.ts'
import type { AllowedHosts } from '../../outgoing/target-address.ts'
import type { Security } from '../configs/config.rules.ts'
import { connectionOptions, isRefusal, type SmtpSettings } from '../outbox/smtp.ts'

/** The mail server rejects this mail for good. */
export class Rejected extends Error {}

export type SendBy = (mail: SendMailOptions) => Promise<void>

export function platformTransport({ url, from }: SmtpSettings): SendBy {
  return (mail) => send(connectionOptions(new URL(url), from), mail)
}

type Server = {
  host: string
  port: number
  security: Security
  login: { user: string; pass: string } | null
}

/** The server of a tenant. Its address is looked up once and has to be allowed, and the connection goes to that address. */
export function tenantTransport({ host, port, security, login }: Server, allowedHosts: AllowedHosts): SendBy {
  return async (mail) => {
    const lookup = promisify(guardedLookup(resolverFor(allowedHosts), allowedHosts)) as unknown as (
      name: string,
      options: { all: false },
    ) => Promise<string>
    const address = await lookup(host, { all: false })
    await send(
      {
        host: address,
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
      },
      mail,
    )
  }
}

async function send(options: object, mail: SendMailOptions): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(options)
  try {
    await transport.sendMail(mail)
  } catch (error) {
    throw isRefusal(error) ? new Rejected((error as Error).message) : error
  } finally {
    transport.close()
  }
}
