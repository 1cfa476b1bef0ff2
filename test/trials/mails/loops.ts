import { randomUUID } from 'node:crypto'
import type { MailListener } from '../../../src/email/index.ts'
import { many, sql } from '../../../src/storage/query.ts'
import { createSecrets } from '../../../src/storage/secrets.ts'
import { testApp } from '../../harness/app.ts'
import { freshDatabase } from '../../harness/database.ts'
import { type ReceivedMail, startMailServer } from '../../harness/mail-server.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import { smtpConversation } from '../../harness/smtp-conversation.ts'
import { testZone } from '../../harness/zone.ts'
import type { Row } from '../row.ts'
import { type Correspondent, correspondents } from './correspondents.ts'
import { sieveCorrespondents } from './sieve-correspondents.ts'

const answersMax = 3
const preparationsMax = 100

type Zone = ReturnType<typeof testZone>
type Installation = Awaited<ReturnType<typeof installation>>

/** An installation that answers anybody by itself, from a public document. */
async function installation(zone: Zone, domain: string, seed: number) {
  const server = await startMailServer()
  const app = await testApp({
    ...{ secrets: createSecrets(Buffer.alloc(32, seed)), database: await freshDatabase() },
    email: { domain, smtpPort: 0, resolve: zone.resolve },
    mail: { smtp: { url: server.url, from: `no-reply@${domain}` }, publicUrl: null },
  })
  sends(zone, domain)
  const listener = (await app.app.listenForMail()) as MailListener
  const orgs = organizationCalls(app)
  const owner = await orgs.person(await app.apiKey(await app.tenant()))
  const orgId = (await orgs.create(owner)).id
  const replies = { mode: 'send', audience: 'anyone' }
  const { body } = await orgs.call(owner, 'PUT', `/email/config?orgId=${orgId}`, { body: { replies } })
  const text = 'The venue opens at nine on Friday. When does the venue open?'
  const document = { title: 'Venue', text, tags: ['public'] }
  await orgs.call(owner, 'POST', `/orgs/${orgId}/documents`, { body: document })
  for (let tried = 0; ; tried++) {
    app.clock.advance({ seconds: 5 })
    await app.settled()
    const { body: listed } = await orgs.call(owner, 'GET', `/orgs/${orgId}/documents`)
    if (listed.documents[0]?.status === 'ready') break
    if (tried === preparationsMax) throw new Error(JSON.stringify(listed))
  }
  const ask = async (to: string) => {
    const mail = { to: [to], subject: 'Venue', text: 'When does the venue open?' }
    const { status, body } = await orgs.call(owner, 'POST', `/email/send?orgId=${orgId}`, { body: mail })
    if (status !== 202) throw new Error(JSON.stringify(body))
    await app.settled()
  }
  const take = async (from: string, to: string, lines: string) => {
    const data = lines.replace(/\r\n\./g, '\r\n..').trimEnd()
    const said = ['EHLO corr.example', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', `${data}\r\n.`]
    const answers = await smtpConversation(listener.smtpPort, said)
    app.clock.advance({ seconds: 60 })
    await app.settled()
    return answers.at(-1) ?? ''
  }
  const taken = server.received.length
  return { app, server, listener, address: body.config.address as string, ask, take, taken }
}

const sends = (zone: Zone, domain: string) => {
  zone.set('TXT', domain, 'v=spf1 ip4:127.0.0.1 -all')
  zone.set('TXT', `_dmarc.${domain}`, 'v=DMARC1; p=reject')
}

/** The most answers that were sent by themselves in one thread since then, and all of them. */
async function answered({ app }: Installation, since: Date): Promise<{ most: number; all: number }> {
  const rows = await many(
    app.platform,
    sql<{ count: number }>`select count(*)::int as count from mail_messages
      where direction = 'out' and answers_id is not null and status in ('sent', 'bounced')
        and sent_at >= ${since} group by thread_id`,
  )
  const counts = rows.map(({ count }) => count)
  return { most: Math.max(0, ...counts), all: counts.reduce((sum, count) => sum + count, 0) }
}

/** The next mails that it sent to a domain. */
const sentTo = (it: Installation, domain: string): ReceivedMail[] => {
  const mails = it.server.received.slice(it.taken).filter(({ to }) => to.some((one) => one.endsWith(`@${domain}`)))
  it.taken = it.server.received.length
  return mails
}

/**
 * Sets an installation on automatic correspondents, and two installations on each other, for so many rounds within one day. Needs
 * Debian's dovecot-imapd, dovecot-lmtpd and dovecot-sieve.
 */
export async function mailLoops(rounds: number): Promise<Row[]> {
  const zone = testZone()
  sends(zone, 'corr.example')
  const rows: Row[] = []
  const [a, b] = [await installation(zone, 'a-mail.example', 7), await installation(zone, 'b-mail.example', 9)]
  const row = (what: string, exchanged: number, seen: { most: number; all: number }, max: number): Row => {
    const broken = seen.most > max ? `${seen.most} answers in a thread` : ''
    return { what, exchanged, answers: seen.all, mostInAThread: seen.most, broken }
  }
  try {
    const close: (() => Promise<void>)[] = []
    const sieve = sieveCorrespondents(a.address, close)
    try {
      for (const [what, correspondent] of [...Object.entries(correspondents), ...Object.entries(sieve)]) {
        const since = a.app.clock.now()
        await a.ask(`vera${rows.length}@corr.example`)
        const exchanged = await correspond(a, correspondent, rounds)
        const seen = row(what, exchanged, await answered(a, since), correspondent.answersMax)
        rows.push(exchanged === 0 ? { ...seen, broken: 'nothing came back' } : seen)
      }
    } finally {
      for (const end of close) await end()
    }
    for (const isStripped of [false, true]) {
      const since = { a: a.app.clock.now(), b: b.app.clock.now() }
      const exchanged = await setOn([a, b], { rounds, isStripped })
      const [ofA, ofB] = [await answered(a, since.a), await answered(b, since.b)]
      const seen = { most: Math.max(ofA.most, ofB.most), all: ofA.all + ofB.all }
      rows.push(
        row(`two installations${isStripped ? ', marks removed and words changed' : ''}`, exchanged, seen, answersMax),
      )
    }
    return rows
  } finally {
    for (const it of [a, b]) {
      await it.listener.close()
      await it.server.close()
    }
  }
}

/** Carries mails between both until none comes back. Returns how many came back. */
async function correspond(it: Installation, { react }: Correspondent, rounds: number): Promise<number> {
  let exchanged = 0
  for (let waiting = sentTo(it, 'corr.example'); waiting.length > 0 && exchanged < rounds; ) {
    for (const mail of waiting)
      for (const { from, to, lines } of [await react(mail, exchanged + 1)].flat()) {
        exchanged++
        const hasId = lines.some((line) => /^Message-ID:/i.test(line))
        const id = hasId ? [] : [`Message-ID: <${randomUUID()}@corr.example>`]
        await it.take(from, to, [...id, ...lines].join('\r\n'))
      }
    waiting = sentTo(it, 'corr.example')
  }
  return exchanged
}

/** Carries mails between both until none moves. Returns how many. `isStripped`: as a bad server does that takes out marks. */
async function setOn(
  [a, b]: [Installation, Installation],
  { rounds, isStripped }: { rounds: number; isStripped: boolean },
) {
  await a.ask(b.address)
  let exchanged = 0
  for (let moved = -1; moved !== exchanged && exchanged < rounds; ) {
    moved = exchanged
    for (const [from, to, domain] of [
      [a, b, 'b-mail.example'],
      [b, a, 'a-mail.example'],
    ] as const)
      for (const mail of sentTo(from, domain)) {
        exchanged++
        const raw = mail.raw.toString()
        const changed = raw
          .replace(/^(?:Auto-Submitted|X-Auto-Response-Suppress):.*\r\n/gim, '')
          .replace(/opens at nine/g, `opens at nine (${exchanged})`)
        await to.take(mail.from, mail.to[0] ?? '', isStripped ? changed : raw)
      }
  }
  return exchanged
}
