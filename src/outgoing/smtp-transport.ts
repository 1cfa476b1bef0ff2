import { promisify } from 'node:util'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { guardedLookup, resolverFor } from './host-lookup.ts'
import { connectionOptions, isRefusal, type SmtpSettings } from './smtp-connection.ts'
import type { AllowedHosts } from './target-address.ts'

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
  security: 'tls' | 'starttls' | 'none'
  login: { user: string; pass: string } | null
}

/** The server of a tenant. */
export function tenantTransport({ login, ...server }: Server, allowedHosts: AllowedHosts): MailTransport {
  return serverTransport(server, login, allowedHosts)
}

/** Its address is looked up once and has to be allowed, and the connection goes to that address. */
function serverTransport(
  { host, port, security }: Omit<Server, 'login'>,
  auth: object | null,
  allowedHosts: AllowedHosts,
): MailTransport {
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
      ...(auth === null ? {} : { auth }),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  })
}

type TokenServer = Omit<Server, 'login'> & { user: string; accessToken: string }

/** Logs in with a token (XOAUTH2). One that the server refuses is renewed once. */
export function tokenTransport(
  readLogin: (refusedToken: string | null) => Promise<TokenServer>,
  allowedHosts: AllowedHosts,
): MailTransport {
  const using = async (work: (transport: MailTransport) => Promise<void>): Promise<void> => {
    const attempt = ({ user, accessToken, ...server }: TokenServer) =>
      work(serverTransport(server, { type: 'OAuth2', user, accessToken }, allowedHosts))
    const login = await readLogin(null)
    try {
      await attempt(login)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAUTH') throw error
      await attempt(await readLogin(login.accessToken))
    }
  }
  return {
    send: (mail) => using((transport) => transport.send(mail)),
    verify: () => using((transport) => transport.verify()),
  }
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
