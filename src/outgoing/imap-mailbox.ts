import { promisify } from 'node:util'
import type { ImapFlow } from 'imapflow'
import { errorLine } from '../kernel/error-line.ts'
import { withTimeout } from '../kernel/with-timeout.ts'
import { AddressNotAllowed, guardedLookup, NameNotFound, resolverFor } from './host-lookup.ts'
import type { AllowedHosts } from './target-address.ts'

export type ImapServer = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  user: string
  secret: { password: string } | { accessToken: string }
}

export type ImapCause = 'LOGIN_FAILED' | 'NOT_REACHABLE' | 'HOST_NOT_ALLOWED' | 'TLS_FAILED' | 'SERVER_ERROR'

/** Why a mailbox was not read. `message` is for people: a line without secrets. */
export class ImapFailure extends Error {
  readonly reason: ImapCause

  constructor(reason: ImapCause, message: string) {
    super(message)
    this.reason = reason
  }
}

export type ListedMail = { uid: number; sizeBytes: number; arrivedAt: Date }

/** The INBOX of an account. All functions reject with ImapFailure. */
export type ImapMailbox = {
  /** Selects the mailbox again. UIDs of one UIDVALIDITY mean nothing in another (RFC 9051 section 2.3.1.1). */
  select(): Promise<{ uidValidity: bigint }>
  /** Mails after a UID, the lowest UID first: at most `limit`. `since`: only those that arrived on that day (UTC) or later. */
  list(wanted: { afterUid: number; since: Date | null; limit: number }): Promise<ListedMail[]>
  /** Null: it is gone. */
  read(uid: number): Promise<Buffer | null>
  createFolder(folder: string): Promise<void>
  move(uid: number, folder: string): Promise<void>
  /** Resolves when the server tells of mail, when the time is over, or when the signal aborts. Rejects when the connection ends. */
  waitForMail(ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

const connectMs = 10_000
const silenceMs = 90_000
/** A listing, or a mail of 25 MiB over a slow line. */
const commandMs = 120_000
const mailBytesMax = 26 * 1024 * 1024

/** Connects and logs in. The address is looked up once and has to be allowed, and the connection goes to that address. */
export async function openMailbox(server: ImapServer, allowedHosts: AllowedHosts): Promise<ImapMailbox> {
  const client = await connect(server, allowedHosts)
  const secret = 'password' in server.secret ? server.secret.password : server.secret.accessToken
  const ask = async <T>(command: Promise<T>): Promise<T> => {
    try {
      return await withTimeout(commandMs, command)
    } catch (error) {
      client.close()
      throw failureOf(error, secret)
    }
  }
  const changed = changes(client)
  return {
    select: () => ask(client.mailboxOpen('INBOX').then(({ uidValidity }) => ({ uidValidity }))),
    list: (wanted) => ask(list(client, wanted)),
    read: (uid) => ask(read(client, uid)),
    createFolder: (folder) => ask(client.mailboxCreate(folder).then(() => undefined)),
    move: (uid, folder) =>
      ask(
        client.messageMove([uid], folder, { uid: true }).then((moved) => {
          if (moved === false) throw new Error(`The mail could not be moved to ${folder}.`)
        }),
      ),
    waitForMail: async (ms, signal) => {
      const waiting = changed.next(ms, signal)
      // Ends with the next command. Servers without IDLE are only asked when the time is over.
      void client.idle().catch(() => undefined)
      await waiting
    },
    close: () => client.close(),
  }
}

async function connect(server: ImapServer, allowedHosts: AllowedHosts): Promise<ImapFlow> {
  const { host, port, security, user, secret } = server
  const lookup = promisify(guardedLookup(resolverFor(allowedHosts), allowedHosts)) as unknown as (
    name: string,
    options: { all: false },
  ) => Promise<string>
  const { ImapFlow: Client } = await import('imapflow')
  const pass = 'password' in secret ? secret.password : secret.accessToken
  try {
    const client = new Client({
      host: await lookup(host, { all: false }),
      port,
      servername: host,
      secure: security === 'tls',
      ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
      auth: 'password' in secret ? { user, pass } : { user, accessToken: pass },
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
      maxLineLength: 4 * 1024 * 1024,
      maxLiteralSize: mailBytesMax,
      maxResponseSize: mailBytesMax + 4 * 1024 * 1024,
    })
    // Told by the command that fails, or by `waitForMail`.
    client.on('error', () => undefined)
    try {
      await withTimeout(4 * connectMs, client.connect())
    } catch (error) {
      client.close()
      throw error
    }
    return client
  } catch (error) {
    throw failureOf(error, pass)
  }
}

async function list(
  client: ImapFlow,
  { afterUid, since, limit }: { afterUid: number; since: Date | null; limit: number },
) {
  const found = await client.search({ uid: `${afterUid + 1}:*`, ...(since === null ? {} : { since }) }, { uid: true })
  // `n:*` always includes the last mail, whatever its UID.
  const uids = (found || [])
    .filter((uid) => uid > afterUid)
    .sort((a, b) => a - b)
    .slice(0, limit)
  if (uids.length === 0) return []
  const mails = await client.fetchAll(uids, { uid: true, size: true, internalDate: true }, { uid: true })
  return mails
    .map(({ uid, size = 0, internalDate }) => ({ uid, sizeBytes: size, arrivedAt: new Date(internalDate ?? 0) }))
    .sort((a, b) => a.uid - b.uid)
}

async function read(client: ImapFlow, uid: number): Promise<Buffer | null> {
  const mail = await client.fetchOne(String(uid), { source: true }, { uid: true })
  return mail === false ? null : (mail.source ?? null)
}

/** A change that comes while nobody waits is not lost: the next wait ends at once. */
function changes(client: ImapFlow) {
  let hasChanged = false
  let [isClosed, wake] = [false, () => {}]
  client.on('exists', () => {
    hasChanged = true
    wake()
  })
  client.on('close', () => {
    isClosed = true
    wake()
  })
  return {
    next: async (ms: number, signal: AbortSignal): Promise<void> => {
      if (!hasChanged && !isClosed && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        const end = () => resolve()
        signal.addEventListener('abort', end)
        await promise
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
      }
      hasChanged = false
      if (isClosed) throw new ImapFailure('NOT_REACHABLE', 'The mail server ended the connection.')
    },
  }
}

type ImapError = Error & {
  code?: string
  authenticationFailed?: boolean
  tlsFailed?: boolean
  serverResponseCode?: string
  responseText?: string
}

const networkCodes =
  /^(?:E(?:CONN\w+|TIMEDOUT|TIMEOUT|HOSTUNREACH|NETUNREACH|PIPE|NOTFOUND|AI_AGAIN|NODATA|SERVFAIL)|CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|NoConnection|ClosedAfterConnect\w+)$/

function failureOf(thrown: unknown, secret: string): ImapFailure {
  if (thrown instanceof ImapFailure) return thrown
  const error = thrown as ImapError
  return new ImapFailure(causeOf(error), errorLine(error.responseText ?? error.message, secret))
}

function causeOf(error: ImapError): ImapCause {
  if (error instanceof AddressNotAllowed) return 'HOST_NOT_ALLOWED'
  // RFC 5530: the server cannot look up the account for now.
  if (error.authenticationFailed) return error.serverResponseCode === 'UNAVAILABLE' ? 'NOT_REACHABLE' : 'LOGIN_FAILED'
  const code = error.code ?? ''
  if (error.tlsFailed || /CERT|SSL|TLS|SIGNED|ISSUER/.test(code)) return 'TLS_FAILED'
  if (error instanceof NameNotFound || networkCodes.test(code) || error.message.startsWith('No answer within'))
    return 'NOT_REACHABLE'
  return 'SERVER_ERROR'
}
