import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import type { MailListener } from '../../../src/email/index.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { migrate, readMigrations } from '../../../src/storage/migrations.ts'
import { many, sql } from '../../../src/storage/query.ts'
import { testApp } from '../../harness/app.ts'
import { type Held, startLoopProbe } from '../../harness/loop-probe.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { testZone } from '../../harness/zone.ts'
import type { Row } from '../row.ts'
import type { Sender, Sent } from './sender.thread.ts'

/** No mail may hold the event loop for longer. */
const heldMsMax = 50
const shown = 8

type Step = Held & { what: string; step: string }

/**
 * Mutated mails from a member with proof, to an organization that allows all commands: each is taken or refused, and ends in a status.
 * How long each holds the event loop: until it is answered, and until all that follows from it is done.
 * @param seed of the first mail: another one has other mails
 */
export async function mailMutations(rounds: number, seed = '1'): Promise<Row[]> {
  const zone = testZone()
  zone.set('TXT', 'example.com', 'v=spf1 ip4:127.0.0.1 -all')
  zone.set('TXT', '_dmarc.example.com', 'v=DMARC1; p=reject')
  const server = await startPostgresServer()
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await migrate(client, await readMigrations())
  await client.end()
  const log = { warn: () => undefined }
  const database = await openDatabase({ databaseUrl: server.url, dataFolder: '', log, poolMax: 8 })
  const app = await testApp({ database, email: { domain: 'mail.example.org', smtpPort: 0, resolve: zone.resolve } })
  const orgs = organizationCalls(app)
  const key = await app.apiKey(await app.tenant())
  const owner = await orgs.person(key)
  const orgId = (await orgs.create(owner)).id
  const commands = { invites: true, transcripts: true, documents: true }
  const settings = { commands, replies: { mode: 'draft', audience: 'anyone' } }
  const { body } = await orgs.call(owner, 'PUT', `/email/config?orgId=${orgId}`, { body: settings })
  const listener = (await app.app.listenForMail()) as MailListener
  const workerData: Sender = {
    ...{ port: listener.smtpPort as number, seed: Number(seed) * 1_000_000 },
    ...{ from: owner.email, address: body.config.address },
  }
  const sender = new Worker(new URL('./sender.thread.ts', import.meta.url), { workerData })
  const probe = startLoopProbe()
  // Loads the job queue, as a service does when it starts. A mail is not what that holds the loop for.
  await app.settled()
  const seen: Step[] = []
  const answers = new Map<string, number>()
  try {
    // The first mail is a plain question, which loads what answers mails.
    for (let n = 0; n <= rounds; n++) {
      // Fewer than one address may send in a minute.
      app.clock.advance({ seconds: 3 })
      probe.take()
      sender.postMessage(n)
      const [{ what, answer }] = (await once(sender, 'message')) as [Sent]
      seen.push({ what, step: 'receive', ...probe.take() })
      answers.set(answer.slice(0, 9), (answers.get(answer.slice(0, 9)) ?? 0) + 1)
      await app.settled()
      await setImmediate()
      seen.push({ what, step: 'carry out', ...probe.take() })
    }
    const statuses = await many(
      app.platform,
      sql<{
        status: string
        outcome: string
        count: number
      }>`select status, coalesce(outcome, '') as outcome, count(*)::int as count
        from mail_messages where direction = 'in' group by 1, 2 order by 3 desc`,
    )
    console.log('answers', Object.fromEntries(answers))
    console.log('stored', statuses.map((it) => `${it.status} ${it.outcome}: ${it.count}`).join(', '))
    const left = await many(
      app.platform,
      sql<{ subject: string }>`select subject from mail_messages where direction = 'in' and status = 'received'`,
    )
    if (left.length > 0) console.log('without a status', left.map(({ subject }) => subject).join(', '))
    const unfinished = left.length
    const [receivedFirst, carriedOutFirst] = seen
    console.log('first mail', receivedFirst, carriedOutFirst)
    const worst = seen.toSorted((a, b) => b.cpuMs - a.cpuMs)
    const over = worst.filter(({ cpuMs }) => cpuMs > heldMsMax).length
    const mails = { what: `${rounds} mails, seed ${seed}`, step: 'all', cpuMs: '', wallMs: '', gcMs: '' }
    const problems = [over > 0 ? `${over} held the loop` : '', unfinished > 0 ? `${unfinished} have no status` : '']
    return [
      ...worst.slice(0, shown).map((it) => ({ ...rounded(it), broken: it.cpuMs > heldMsMax ? 'held the loop' : '' })),
      { ...mails, broken: problems.filter(Boolean).join(', ') },
    ]
  } finally {
    probe.stop()
    await sender.terminate()
    await listener.close()
    await database.close()
    await server.stop()
  }
}

const tenths = (ms: number) => Math.round(ms * 10) / 10

function rounded({ what, step, cpuMs, wallMs, gcMs }: Step) {
  return { what, step, cpuMs: tenths(cpuMs), wallMs: tenths(wallMs), gcMs: tenths(gcMs) }
}
