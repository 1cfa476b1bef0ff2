import { readFile } from 'node:fs/promises'
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { loadMailReaders } from '../../mime/load-mail-readers.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import { concatInSteps } from '../../mime/read-in-steps.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { findByLocalPart } from '../configs/config.store.ts'
import type { Receiving, Recipient } from '../receiving/receive.service.ts'
import { readRecipient } from '../receiving/recipient-name.ts'
import { minuteCounter } from './minute-counter.ts'
import { SmtpReply } from './smtp-reply.ts'

export type ListenerSettings = {
  domain: string
  host: string
  /** Null: this protocol is not offered. 0: a free port. */
  smtpPort: number | null
  lmtpPort: number | null
  /** Paths of PEM files. Null: without STARTTLS. */
  tls: { cert: string; key: string } | null
}

export type ListenerDeps = {
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'error' | 'info'>
  tokens: Tokens
  receive: Receiving['receive']
  /** Why a mail was not taken: a word for metrics. */
  countRefused(reason: string): void
}

export type MailListener = { smtpPort: number | null; lmtpPort: number | null; close(): Promise<void> }

const mailBytesMax = 25 * 1024 * 1024
/** Of mails that arrive at the moment. */
const memoryMax = 200 * 1024 * 1024
const recipientsMax = 100
const mailsPerMinute = 30

type Session = SMTPServerSession & { recipients?: Recipient[] }

/** Takes mail for our addresses, and for nobody else. A mail is answered with 250 when it is stored. */
export async function startListener(deps: ListenerDeps, settings: ListenerSettings): Promise<MailListener> {
  const { SMTPServer: Server } = await import('smtp-server')
  await loadMailReaders()
  const tls = settings.tls && {
    cert: await readFile(settings.tls.cert, 'utf8'),
    key: await readFile(settings.tls.key, 'utf8'),
  }
  const open = async (port: number | null, protocol: 'smtp' | 'lmtp') => {
    if (port === null) return null
    const server = new Server({
      ...handlers(deps, settings, protocol),
      ...tls,
      lmtp: protocol === 'lmtp',
      name: settings.domain,
      banner: 'Atrium',
      disabledCommands: ['AUTH', ...(tls === null ? ['STARTTLS'] : [])],
      size: mailBytesMax,
      disableReverseLookup: true,
      useXClient: false,
      useXForward: false,
      maxClients: 200,
      socketTimeout: 60_000,
      closeTimeout: 5_000,
    })
    server.on('error', (error) => deps.log.info({ error: String(error), protocol }, 'a mail connection failed'))
    await listening(server, port, settings.host)
    return server
  }
  const smtp = await open(settings.smtpPort, 'smtp')
  const lmtp = await open(settings.lmtpPort, 'lmtp')
  return {
    smtpPort: portOf(smtp),
    lmtpPort: portOf(lmtp),
    close: async () => {
      await Promise.all([smtp, lmtp].map((server) => server && new Promise<void>((done) => server.close(done))))
    },
  }
}

function handlers(deps: ListenerDeps, { domain }: ListenerSettings, protocol: 'smtp' | 'lmtp') {
  const { platform, tokens, receive, clock, log, countRefused } = deps
  const isInTime = minuteCounter(mailsPerMinute, () => clock.now().getTime())
  const memory: Memory = { left: memoryMax }
  const refused = (reason: string, reply: SmtpReply) => {
    countRefused(reason)
    return reply
  }
  const failed = (error: unknown): SmtpReply => {
    if (error instanceof SmtpReply) return error
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED')
      return refused('QUOTA', new SmtpReply(452, '4.2.2 The mailbox is full'))
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'a mail was not stored')
    return refused('ERROR', new SmtpReply(451, '4.3.0 Try again later'))
  }

  async function resolveRecipient(address: string): Promise<Recipient> {
    const name = readRecipient(address, { domain, tokens })
    const isOurs = address.toLowerCase().endsWith(`@${domain}`)
    if (name === null && !isOurs) throw refused('RELAY', new SmtpReply(550, '5.7.1 We do not relay'))
    const found = name && (await findByLocalPart(platform, name.localPart))
    if (name === null || !found?.isTenantActive)
      throw refused('UNKNOWN', new SmtpReply(550, '5.1.1 There is no such address'))
    const { tenantId, ownerId, orgId } = found
    return { ...name, tenantId, ownerId, orgId }
  }

  async function take(stream: SMTPServerDataStream, session: Session): Promise<void> {
    const bytes = await readAll(stream, memory)
    if (bytes === null) throw refused('TOO_LARGE', new SmtpReply(552, '5.3.4 The mail is larger than 25 MiB'))
    const { mailFrom } = session.envelope
    const client = { ip: session.remoteAddress, helo: session.hostNameAppearsAs }
    await receive({
      bytes,
      envelope: { from: mailFrom ? mailFrom.address : '', client: protocol === 'smtp' ? client : null },
      recipients: session.recipients ?? [],
    })
  }

  type Done = (error?: Error | null) => void
  const answer = (work: Promise<unknown>, done: Done) =>
    void work.then(
      () => done(),
      (error) => done(failed(error)),
    )

  return {
    onMailFrom: ({ args }: { args: unknown }, session: Session, done: Done) => {
      session.recipients = []
      const size = Number((args as { SIZE?: string } | false | undefined) && (args as { SIZE?: string }).SIZE)
      if (size > mailBytesMax)
        return done(refused('TOO_LARGE', new SmtpReply(552, '5.3.4 The mail is larger than 25 MiB')))
      if (protocol === 'smtp' && !isInTime(session.remoteAddress))
        return done(refused('TOO_MANY', new SmtpReply(450, '4.7.1 Too many mails in a minute')))
      done()
    },
    onRcptTo: ({ address }: { address: string }, session: Session, done: Done) => {
      const known = session.recipients ?? []
      if (known.length >= recipientsMax)
        return done(refused('TOO_MANY_RECIPIENTS', new SmtpReply(452, '4.5.3 Too many recipients')))
      const add = async () => {
        session.recipients = [...known, await resolveRecipient(address)]
      }
      answer(add(), done)
    },
    onData: (stream: SMTPServerDataStream, session: Session, done: Done) => answer(take(stream, session), done),
  }
}

type Memory = { left: number }

/** Null for more than a mail may have; the rest is read and dropped, so that the client gets its answer. */
async function readAll(stream: SMTPServerDataStream, memory: Memory): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let [bytes, taken] = [0, 0]
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mailBytesMax || taken < bytes - chunk.length) continue
      if (memory.left < chunk.length) continue
      chunks.push(chunk)
      taken += chunk.length
      memory.left -= chunk.length
    }
  } finally {
    memory.left += taken
  }
  if (bytes > mailBytesMax) return null
  if (taken < bytes) throw new SmtpReply(451, '4.3.1 Too many mails at once')
  return concatInSteps(chunks, bytes)
}

function listening(server: SMTPServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

function portOf(server: SMTPServer | null): number | null {
  const address = server?.server.address()
  return typeof address === 'object' && address !== null ? address.port : null
}
