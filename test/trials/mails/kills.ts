import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { unique } from '../../harness/app.ts'
import { ask } from '../../harness/client.ts'
import { makeCustomer } from '../../harness/customer.ts'
import { type Dovecot, startDovecot } from '../../harness/dovecot.ts'
import { freePort } from '../../harness/free-port.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { type Service, startService, temporaryFolder } from '../../harness/service.ts'
import { mailLines, smtpConversation } from '../../harness/smtp-conversation.ts'
import type { Row } from '../row.ts'

// Fewer than one address may send in a minute.
const sentEach = 20
const putEach = 30
/** A round whose service is not yet reading by then is killed all the same. */
const beginsMsMax = 30_000
/** What is left in the end is waited for as long as it becomes less. */
const idleMsMax = 120_000
const domain = 'mail.example.org'

/**
 * Kills the service (`kill -9`) while it takes mails by SMTP, by LMTP and from a mailbox (a real Dovecot). What was answered 250,
 * and all that lay in the mailbox, must be there once.
 * @param database `embedded`, or `postgres`
 */
export async function mailKills(rounds: number, database = 'embedded'): Promise<Row[]> {
  const server = database === 'postgres' ? await startPostgresServer() : null
  const password = unique('pass-of-the-mailbox')
  const dovecot = await startDovecot(password)
  const ports = { smtp: await freePort(), lmtp: await freePort() }
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const environment = {
    DATA_DIR: await temporaryFolder(),
    ...(server === null ? {} : { DATABASE_URL: server.url }),
    MASTER_KEY: randomBytes(32).toString('hex'),
    ADMIN_KEY: admin['x-admin-key'],
    LOG_LEVEL: 'silent',
    RATE_LIMIT_MAX: '1000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    EMAIL_DOMAIN: domain,
    EMAIL_SMTP_PORT: String(ports.smtp),
    EMAIL_LMTP_PORT: String(ports.lmtp),
  }
  let service: Service = await startService(environment)
  try {
    const owner = await person(service, admin)
    const smtp = await organization(service, owner)
    const lmtp = await organization(service, owner)
    const imap = await organization(service, owner)
    const server = { host: '127.0.0.1', port: dovecot.port, security: 'none', userName: 'team', password }
    await put(service, owner, imap.id, {
      inbound: { kind: 'imap', ...server, folder: 'Read' },
      replies: { mode: 'off' },
    })
    const taken: Record<'smtp' | 'lmtp' | 'imap', string[]> = { smtp: [], lmtp: [], imap: [] }
    let midway = 0
    for (let round = 0; round < rounds; round++) {
      for (let each = 0; each < putEach; each++) taken.imap.push(await putMail(dovecot))
      const killed = new AbortController()
      const sending = [
        sendUntilKilled({
          hello: 'EHLO',
          port: ports.smtp,
          to: smtp.address,
          taken: taken.smtp,
          killed: killed.signal,
        }),
        sendUntilKilled({
          hello: 'LHLO',
          port: ports.lmtp,
          to: lmtp.address,
          taken: taken.lmtp,
          killed: killed.signal,
        }),
      ]
      const waiting = (await dovecot.mails('team')).length
      const deadline = Date.now() + beginsMsMax
      while ((await dovecot.mails('team')).length >= waiting && Date.now() < deadline) await delay(20)
      // At any moment of the reading, the storing and the moving.
      await delay(Math.random() * 400)
      await service.stop('SIGKILL')
      killed.abort()
      const left = (await dovecot.mails('team')).length
      if (left > 0 && left < waiting) midway++
      await Promise.all(sending)
      service = await startService(environment)
    }
    const unread = await emptied(dovecot)
    if (unread > 0) throw new Error(`${unread} mails stay in the mailbox.`)
    const rows: Row[] = []
    for (const [protocol, { id }] of Object.entries({ smtp, lmtp, imap }))
      rows.push(row(protocol, rounds, taken[protocol as 'imap'], await subjects(service, owner, id)))
    return rows.map((it) => (it['protocol'] === 'imap' ? { ...it, midway } : it))
  } finally {
    await service.stop('SIGKILL')
    await dovecot.close()
    await server?.stop()
  }
}

function row(protocol: string, rounds: number, taken: string[], stored: string[]): Row {
  const counts = Map.groupBy(stored, (subject) => subject)
  const lost = taken.filter((subject) => !counts.has(subject)).length
  const doubled = [...counts.values()].filter(({ length }) => length > 1).length
  const broken = [lost > 0 ? `${lost} lost` : '', doubled > 0 ? `${doubled} doubled` : ''].filter(Boolean).join(', ')
  return { protocol, rounds, taken: taken.length, stored: stored.length, lost, doubled, broken }
}

const mail = (subject: string) => [
  'From: Ana <ana@example.com>',
  `Subject: ${subject}`,
  `Message-ID: <${subject}@example.com>`,
]

type Sending = { hello: string; port: number; to: string; taken: string[]; killed: AbortSignal }

/** A subject counts when its mail was answered with 250. */
async function sendUntilKilled({ hello, port, to, taken, killed }: Sending): Promise<void> {
  for (let sent = 0; sent < sentEach && !killed.aborted; ) {
    const subject = unique('mail')
    const lines = [`${hello} client.example.com`, 'MAIL FROM:<ana@example.com>', `RCPT TO:<${to}>`, 'DATA']
    const answers = await smtpConversation(port, [...lines, mailLines(mail(subject))]).catch(() => [])
    // It does not listen yet.
    if (answers.length === 0) await delay(20)
    else sent++
    if (answers[4]?.startsWith('250')) taken.push(subject)
  }
}

async function putMail(dovecot: Dovecot): Promise<string> {
  const subject = unique('mail')
  await dovecot.deliver('team', [...mail(subject), '', 'Where are the slides?', ''].join('\r\n'))
  return subject
}

async function emptied(dovecot: Dovecot): Promise<number> {
  let left = (await dovecot.mails('team')).length
  for (let changedAt = Date.now(); left > 0 && Date.now() < changedAt + idleMsMax; ) {
    await delay(500)
    const now = (await dovecot.mails('team')).length
    if (now !== left) changedAt = Date.now()
    left = now
  }
  return left
}

type Headers = Record<string, string>

async function person({ base }: Service, admin: Headers): Promise<Headers> {
  const customer = await makeCustomer({ base, admin, requestsPerWindow: 1_000_000 })
  const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
  const url = `${base}/vault/v1/auth/register`
  const { body } = await ask({ url, method: 'POST', headers: customer.headers, body: account })
  return { authorization: `Bearer ${body.accessToken}` }
}

async function organization({ base }: Service, headers: Headers): Promise<{ id: string; address: string }> {
  const { body } = await ask({ url: `${base}/assistant/v1/orgs`, method: 'POST', headers, body: { name: 'Mail' } })
  const { id } = body.org
  const config = await ask({ url: `${base}/assistant/v1/email/config?orgId=${id}`, headers })
  return { id, address: config.body.config.address }
}

async function put({ base }: Service, headers: Headers, orgId: string, body: object): Promise<void> {
  const reply = await ask({ url: `${base}/assistant/v1/email/config?orgId=${orgId}`, method: 'PUT', headers, body })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
}

async function subjects({ base }: Service, headers: Headers, orgId: string): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const url = `${base}/assistant/v1/email/threads?orgId=${orgId}&limit=100&page=${page}`
    const { body } = await ask({ url, headers })
    for (const { subject, messageCount } of body.threads)
      found.push(...Array.from({ length: messageCount }, () => subject))
    if (body.threads.length < 100) return found
  }
}
