import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, mock, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase, freshDatabase } from '../../test/harness/database.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { refusals } from '../kernel/refusal.ts'
import { type Database, openDatabase } from './database.ts'
import { sql } from './query.ts'
import { sqlErrorRefusal } from './sql-error.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const log = { warn: () => undefined }
const killRounds = 4

type Cleanup = { after(work: () => Promise<void>): void }

async function folderFor(t: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-database-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('a database', () => {
  test('reports how long it takes to answer, and how its connections are used', async () => {
    const database = await freshDatabase()
    const latencyMs = await database.ping(5000)
    assert.ok(latencyMs > 0 && latencyMs < 5000)
    const entered = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const busy = database.handle.transaction(async () => {
      entered.resolve()
      await mayEnd.promise
    })
    await entered.promise
    const { total, idle } = database.stats()
    assert.equal(total - idle, 1)
    mayEnd.resolve()
    await busy
    await database.close()
  })

  test('that does not answer in time is reported, also while its only connection is in use', async (t) => {
    const database = await narrowDatabase(t)
    await database.handle.transaction(async () => {
      await assert.rejects(database.ping(20), /No answer within 20 ms/)
      assert.deepEqual(database.stats(), { total: 1, idle: 0, waiting: 1 })
    })
    assert.ok((await database.ping(5000)) > 0)
  })

  test('that is closed refuses as unavailable; closing again changes nothing', async () => {
    const database = await freshDatabase()
    await database.close()
    await database.close()
    const error: unknown = await database.handle.execute(sql`select 1`).catch((thrown) => thrown)
    assert.equal(sqlErrorRefusal(error)?.code, 'UNAVAILABLE')
  })

  async function narrowDatabase(t: Cleanup): Promise<Database> {
    if (!isServer) return closing(t, await freshDatabase())
    return closing(
      t,
      await openDatabase({ databaseUrl: await createPostgresDatabase(), dataFolder: '', log, poolMax: 1 }),
    )
  }
})

function closing(t: Cleanup, database: Database): Database {
  t.after(() => database.close())
  return database
}

describe('the embedded database', { skip: isServer && 'of PGlite' }, () => {
  let made: string
  // Making one takes seconds, so each test has a copy.
  const folderWithDatabase = async (t: Cleanup) => {
    const folder = await folderFor(t)
    await cp(made, folder, { recursive: true })
    return folder
  }

  before(async () => {
    made = await mkdtemp(join(tmpdir(), 'atrium-database-'))
    // What a process leaves that is killed while it makes a database.
    await mkdir(join(made, 'database.new/base'), { recursive: true })
    await writeFile(join(made, 'database.new/PG_VERSION'), '18')
    await (await openDatabase({ databaseUrl: null, dataFolder: made, log })).close()
  })
  after(() => rm(made, { recursive: true, force: true }))

  test('is created whole after a start that was interrupted', async () => {
    assert.deepEqual((await readdir(made)).sort(), ['atrium.lock', 'database'])
  })

  test('is on the disk after every commit, shares that among callers, and lets reads alone not wait for it', async (t) => {
    const folder = await folderWithDatabase(t)
    const { handle } = closing(t, await openDatabase({ databaseUrl: null, dataFolder: folder, log }))
    await handle.execute(sql`create table notes (id int)`)
    const fsync = mock.method(fs, 'fsyncSync')
    syncBuiltinESMExports()
    const syncsOf = async (work: () => Promise<unknown>) => {
      fsync.mock.resetCalls()
      await work()
      return fsync.mock.callCount()
    }
    const insert = (id: number) => sql`insert into notes values (${id})`
    const each = await syncsOf(async () => {
      for (let id = 0; id < 20; id++) await handle.execute(insert(id))
    })
    const together = await syncsOf(() =>
      handle.transaction(async (tx) => {
        for (let id = 20; id < 40; id++) await tx.execute(insert(id))
      }),
    )
    const atOnce = await syncsOf(() =>
      Promise.all(Array.from({ length: 20 }, (_, id) => handle.execute(insert(40 + id)))),
    )
    const reading = await syncsOf(() => handle.execute(sql`select count(*) from notes`))
    fsync.mock.restore()
    syncBuiltinESMExports()
    assert.ok(each >= 20 && each <= 25, `${each} for 20 commits`)
    assert.ok(together >= 1 && together <= 3, `${together} for one commit`)
    assert.ok(atOnce >= 1 && atOnce <= 10, `${atOnce} for 20 commits of 20 callers`)
    assert.equal(reading, 0)
  })

  test('is intact after its process is killed: with all acknowledged commits, without half a transaction', async (t) => {
    const folder = await folderWithDatabase(t)
    const program = `
      const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./database.ts'))})
      const { sql } = await import(${JSON.stringify(import.meta.resolve('./query.ts'))})
      const { handle } = await openDatabase({ databaseUrl: null, dataFolder: process.argv[1], log: console })
      await handle.execute(sql\`create table if not exists journal (id int)\`)
      await handle.execute(sql\`create table if not exists total as select 0 as count\`)
      const { rows: [seen] } = await handle.execute(sql\`select (select count(*) from journal) as rows, count from total\`)
      process.stdout.write(seen.rows + ' ' + seen.count + '\\n')
      let id = seen.rows
      const write = async () => {
        for (;;) {
          await handle.transaction(async (tx) => {
            await tx.execute(sql\`insert into journal values (\${id++})\`)
            await tx.execute(sql\`update total set count = count + 1\`)
          })
          process.stdout.write('kept\\n')
        }
      }
      await Promise.all([write(), write(), write()])`
    let acknowledged = 0
    for (let round = 0; round < killRounds; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const killAfter = 1 + Math.floor(Math.random() * 60)
      let kept = 0
      for await (const line of createInterface(child.stdout)) {
        if (line === 'kept') kept++
        else {
          const [rows = 0, count] = line.split(' ').map(Number)
          assert.ok(rows >= acknowledged, `${rows} rows of ${acknowledged} acknowledged`)
          assert.equal(count, rows)
          acknowledged = rows
        }
        if (kept === killAfter) child.kill('SIGKILL')
      }
      acknowledged += kept
    }
    const { handle } = closing(t, await openDatabase({ databaseUrl: null, dataFolder: folder, log }))
    const { rows } = await handle.execute(sql<{ rows: number }>`select count(*) as rows from journal`)
    assert.ok((rows[0]?.rows ?? 0) >= acknowledged && acknowledged >= killRounds)
  })

  test('whose disk fails ends the process, because it would never answer again, and keeps all that was committed', async (t) => {
    const folder = await folderWithDatabase(t)
    const program = `
      const { default: fs } = await import('node:fs')
      const { syncBuiltinESMExports } = await import('node:module')
      const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./database.ts'))})
      const { sql } = await import(${JSON.stringify(import.meta.resolve('./query.ts'))})
      const { handle } = await openDatabase({ databaseUrl: null, dataFolder: process.argv[1], log: console })
      await handle.execute(sql\`create table notes as select 1 as id\`)
      fs.fsyncSync = () => { throw new Error('EIO') }
      syncBuiltinESMExports()
      const insert = () => handle.execute(sql\`insert into notes values (2)\`)
      const all = await Promise.allSettled([insert(), insert(), insert()])
      console.log(all.map(({ status, reason }) => status + ' ' + reason?.code).join())
      await handle.execute(sql\`select 1\`)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder])
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    assert.equal(stdout, 'rejected 58030,rejected 58030,rejected 58030\n')
    assert.match(stderr, /The embedded database has stopped: .*I\/O error/)
    assert.equal(code, 1)
    const { handle } = closing(t, await openDatabase({ databaseUrl: null, dataFolder: folder, log }))
    assert.deepEqual((await handle.execute(sql`select * from notes where id = 1`)).rows, [{ id: 1 }])
  })

  test('belongs to one process at a time, and closing releases it', async (t) => {
    const folder = await folderWithDatabase(t)
    const open = () => openDatabase({ databaseUrl: null, dataFolder: folder, log })
    const first = await open()
    await assert.rejects(open(), /in use by another Atrium, process/)
    await first.handle.execute(sql`create table notes (id int)`)
    await first.close()
    const second = closing(t, await open())
    assert.equal((await second.handle.execute(sql`select * from notes`)).affected, 0)
  })

  test('that is damaged fails with the output of PostgreSQL, and leaves the folder unlocked', async (t) => {
    const folder = await folderFor(t)
    await mkdir(join(folder, 'database'))
    await writeFile(join(folder, 'database/PG_VERSION'), '18\n')
    const open = () => openDatabase({ databaseUrl: null, dataFolder: folder, log })
    await assert.rejects(open(), /The embedded database does not start/)
    await assert.rejects(open(), /The embedded database does not start/)
  })

  test('that another PostgreSQL wrote is refused with what to do, and is left as it is', async (t) => {
    const folder = await folderFor(t)
    const open = () => openDatabase({ databaseUrl: null, dataFolder: folder, log })
    const database = await open()
    const version = await database.handle.execute<{ server_version: string }>(sql`show server_version`)
    assert.match(version.rows[0]?.server_version ?? '', /^18\./, 'the version that pglite.ts expects')
    await database.close()
    await writeFile(join(folder, 'database/PG_VERSION'), '17\n')
    await assert.rejects(open(), /its files are of PostgreSQL 17, and .* brings PostgreSQL 18\. .*docs\/upgrades\.md/)
    await writeFile(join(folder, 'database/PG_VERSION'), '18\n')
    await (await open()).close()
  })
})

describe('a PostgreSQL server', { skip: !isServer && 'of PostgreSQL' }, () => {
  test('that cuts every connection makes requests fail as unavailable, and serves again at once', async (t) => {
    const url = await createPostgresDatabase()
    const idleLost = Promise.withResolvers<void>()
    let idle = 4 - 2
    const warn = (_: unknown, message: string) => {
      if (message === 'an idle database connection was lost' && --idle === 0) idleLost.resolve()
    }
    const { handle } = closing(
      t,
      await openDatabase({
        databaseUrl: url,
        dataFolder: '',
        log: { warn },
        poolMax: 4,
      }),
    )
    await Promise.all(Array.from({ length: 4 }, () => handle.execute(sql`select pg_sleep(0.01)`)))
    const inTransaction = handle.transaction(async (tx) => {
      await tx.execute(sql`create table never (id int)`)
      await cutAll(url)
      await tx.execute(sql`select 1`)
    })
    const inStatement = handle.execute(sql`select pg_sleep(20)`)
    for (const result of await Promise.allSettled([inTransaction, inStatement])) {
      const refusal = sqlErrorRefusal(result.status === 'rejected' ? result.reason : null)
      assert.equal(refusal?.code, 'UNAVAILABLE')
      assert.equal(refusals.UNAVAILABLE[0], 503)
    }
    await idleLost.promise
    assert.equal((await handle.execute(sql`select to_regclass('never') as it`)).rows.length, 1)
  })

  test('that is unreachable stops the start with its address, without the password', async () => {
    const port = await freePort()
    const databaseUrl = `postgres://me:secret@127.0.0.1:${port}/atrium`
    const error = await openDatabase({ databaseUrl, dataFolder: '', log }).catch((thrown: Error) => thrown)
    assert.ok(error instanceof Error)
    assert.match(error.message, new RegExp(`does not answer at 127.0.0.1:${port}/atrium.*ECONNREFUSED`))
    assert.doesNotMatch(error.message, /secret/)
  })

  test('that refuses the user or the database stops the start with what to check in DATABASE_URL', async () => {
    const known = new URL(await createPostgresDatabase())
    const { host, pathname } = known
    for (const databaseUrl of [`postgres://nobody-of-it:secret@${host}${pathname}`, `${known}-none-of-it`]) {
      const error = await openDatabase({ databaseUrl, dataFolder: '', log }).catch((thrown: Error) => thrown)
      assert.ok(error instanceof Error)
      assert.match(error.message, new RegExp(`^PostgreSQL at ${host}/.* refuses the connection: .*of-it.*DATABASE_URL`))
      assert.doesNotMatch(error.message, /secret/)
    }
  })

  test('behind a proxy that pools by transaction gets no named statements', async (t) => {
    const url = await createPostgresDatabase()
    const prepared = async (databaseUrl: string) => {
      const { handle } = closing(t, await openDatabase({ databaseUrl, dataFolder: '', log, poolMax: 1 }))
      await handle.execute(sql`select ${1}::int`)
      return (await handle.execute(sql`select 1 from pg_prepared_statements`)).rows.length
    }
    assert.equal(await prepared(url), 1)
    assert.equal(await prepared(`${url}?pgbouncer=true`), 0)
  })

  async function cutAll(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await client.end()
  }
})
