import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createPostgresDatabase, emptyPglite } from '../../test/harness/database.ts'
import { temporaryFolder } from '../../test/harness/service.ts'
import { type Migration, migrate, readMigrations } from '../storage/migrations.ts'
import { createSecrets } from '../storage/secrets.ts'
import { beginTransaction, dump, tallyAll } from './dump.ts'
import { type Backup, readBackup, writeBackup } from './file.ts'
import { BadBackup, type Tally } from './format.ts'
import { load } from './load.ts'
import { openAll } from './sealed.ts'
import { newFolderDatabase, overPglite, type Session, serverSession } from './session.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const about = { version: '0.0.0-test', createdAt: new Date('2026-01-01T00:00:00Z'), seal: null }

// Values that a careless copy changes: what the base migration has, and what a later one may bring.
const everyType = {
  name: '9001_every_type',
  checksum: 'a',
  sql: `
    create schema elsewhere;
    create type elsewhere.mood as enum ('so so', 'fine');
    create table "Every ""type" (
      id bigint generated always as identity primary key,
      "Text" text, bytes bytea, at timestamptz, day date, long interval, money numeric(40, 12), real float8, small float4,
      flags boolean[], words text[][], document jsonb, verbatim json, place inet, span tstzrange, mood elsewhere.mood,
      padded char(5), double_id bigint generated always as (id * 2) stored
    );
    insert into "Every ""type" ("Text", bytes, at, day, long, money, real, small, flags, words, document, verbatim, place, span, mood, padded) values
      (E'tab\\t, quote", back\\\\slash, line\\nend, \\u2028 \\U0001F98A {braces}', '\\x00ff5c0a', '2026-03-29 01:30:00.123456+00', '0044-03-15 BC',
        '1 mon -2 days 03:04:05.000006', 1234567890123456789012345678.000000000001, 0.1, 0.1, '{t,null,f}',
        '{{"a,b","NULL"},{null,"\\"\\\\"}}', '{"b": 1.10, "a": [null, "\\u00e9"]}', '{"b" : 1, "a":2,  "a":3}', '10.0.0.1/8',
        '["2026-01-01 00:00:00.000001+00",)', 'so so', 'ab'),
      (null, null, 'infinity', null, null, 'NaN', '-Infinity', 'NaN', null, '{}', 'null', 'null', '::1', 'empty', null, null),
      ('', '', '-infinity', 'infinity', '0', 0, -0, 1e-45, '{}', '{""}', '""', '""', '0.0.0.0/0', null, 'fine', '');
    -- A table that points at itself, so no order of its rows would do, and a trigger that would refuse them all.
    create table elsewhere.people (id bigint primary key, friend bigint references elsewhere.people);
    insert into elsewhere.people values (1, 2), (2, 1);
    create function elsewhere.refuse() returns trigger language plpgsql as 'begin raise exception ''no writing''; end';
    create trigger guard before insert or update on elsewhere.people for each row execute function elsewhere.refuse();
    create table elsewhere.parts (kind text not null, parent bigint references elsewhere.people) partition by list (kind);
    create table elsewhere.part_a partition of elsewhere.parts for values in ('a');
    create table elsewhere.part_rest partition of elsewhere.parts default;
    insert into elsewhere.parts values ('a', 1), ('b', 2), ('b', null);
    create sequence elsewhere.numbers start 9007199254740993;
    select nextval('elsewhere.numbers')`,
}

const later = { name: '9002_later', checksum: 'b', sql: 'alter table elsewhere.parts add note text default $$new$$' }

/** The one table of ours that a backup asks for. */
const installation = {
  name: '0001_installation',
  checksum: 'a',
  sql: 'create table installation (id int primary key, master_key_check text, created_at timestamptz)',
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function emptyMemory(): Promise<Session> {
  return overPglite(await emptyPglite())
}

async function emptyDatabase(): Promise<Session> {
  return isServer ? serverSession(await createPostgresDatabase()) : emptyMemory()
}

async function tallyOf(session: Session): Promise<Record<string, Tally>> {
  await beginTransaction(session, 'read only')
  try {
    return await tallyAll(session)
  } finally {
    await session.query('rollback')
  }
}

async function textOf(session: Session, statement: string): Promise<string> {
  return JSON.stringify(await session.rows(statement))
}

describe('a database with every kind of value, table and obstacle', () => {
  let folder: string
  let file: string
  let source: Session
  let migrations: Awaited<ReturnType<typeof readMigrations>>

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
    file = join(folder, 'backup')
    migrations = [...(await readMigrations()), everyType]
    source = await emptyDatabase()
    await migrate(source, migrations)
    await source.query("insert into installation values (1, 'the check', '2026-01-01')")
    // Another server's habits must not show.
    await source.query(
      "set timezone = 'Asia/Kathmandu'; set datestyle = 'German'; set bytea_output = 'escape'; set extra_float_digits = -5; set intervalstyle = 'iso_8601'",
    )
    await writeBackup(file, dump(source, about), null)
  })
  after(async () => {
    await source.close()
    await rm(folder, { recursive: true, force: true })
  })

  const restored = async (into: Session, backup: Backup) => {
    await load(into, { parts: backup.parts, migrations })
  }

  const assertSame = async (target: Session) => {
    const tallies = await tallyOf(target)
    assert.deepEqual(tallies, await tallyOf(source))
    assert.equal(tallies['"Every ""type"']?.rows, 3)
    assert.equal(tallies['elsewhere.parts']?.rows, 3)
    for (const statement of [
      'select tableoid::regclass::text, count(*)::text from elsewhere.parts group by 1 order by 1',
      'select double_id::text from "Every ""type" order by id',
      'select conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) from pg_constraint order by 1, 2',
      'select tgname::text, tgenabled::text from pg_trigger where not tgisinternal order by 1',
      'select last_value::text, is_called::text from elsewhere.numbers',
    ])
      assert.equal(await textOf(target, statement), await textOf(source, statement), statement)
    await assert.rejects(target.query('insert into elsewhere.people values (3, null)'), /no writing/)
    await assert.rejects(target.query("insert into elsewhere.parts values ('c', 99)"), /violates foreign key/)
  }
  /** Uses a number up, which a later backup would hold. */
  const assertCountsOn = async (target: Session) =>
    assert.equal(
      await textOf(target, 'insert into "Every ""type" ("Text") values (null) returning id::text'),
      '[["4"]]',
    )

  test('is the same after a restore into the same kind of database: every value, count, sequence, key and trigger', async () => {
    const target = await emptyDatabase()
    await restored(target, await readBackup(file, null))
    await assertSame(target)
    await assertCountsOn(target)
    await target.close()
  })

  test('is the same after a restore into an embedded database, and after a way through that into a server', {
    skip: !isServer && 'needs a server',
  }, async () => {
    const between = await emptyMemory()
    await restored(between, await readBackup(file, null))
    await assertSame(between)
    await writeBackup(`${file}.between`, dump(between, about), null)
    await assertCountsOn(between)
    const target = await emptyDatabase()
    await restored(target, await readBackup(`${file}.between`, null))
    assert.deepEqual(await tallyOf(target), await tallyOf(source))
    await Promise.all([between.close(), target.close()])
  })

  test('is not backed up under a seal of another master key', async () => {
    const seal = { masterKeyCheck: 'another check' }
    await assert.rejects(all(dump(source, { ...about, seal })), /not the one of the database/)
  })
})

describe('a backup of a few tables', () => {
  // What a restore does about versions and failures is the same for any tables. To make all of ours takes seconds each time.
  const migrations = [installation, everyType]
  let file: string

  before(async () => {
    file = join(await temporaryFolder(), 'backup')
    const source = await emptyDatabase()
    await migrate(source, migrations)
    await source.query("insert into installation values (1, 'the check', '2026-01-01')")
    await writeBackup(file, dump(source, about), null)
    await source.close()
  })

  const restored = async (into: Session, known: Migration[] = migrations) => {
    const { parts } = await readBackup(file, null)
    await load(into, { parts, migrations: known })
  }

  test('is brought up to date when a newer program restores it, and refused by an older one', async () => {
    const target = await emptyDatabase()
    await assert.rejects(restored(target, migrations.slice(0, -1)), /newer program.*9001_every_type/)
    await restored(target, [...migrations, later])
    assert.equal(await textOf(target, 'select distinct note from elsewhere.parts'), '[["new"]]')
    await target.close()
  })

  test('is refused where the target holds anything, and where the history is another', async () => {
    const target = await emptyDatabase()
    await target.query('create table notes (id int)')
    await assert.rejects(restored(target), /not empty/)
    await target.query('drop table notes')
    const other = migrations.map((migration) => ({ ...migration, checksum: 'other' }))
    await assert.rejects(restored(target, other), /was changed after the backup/)
    await target.close()
  })

  test('leaves nothing in the target when the restore fails at its last step', async () => {
    const target = await emptyDatabase()
    const { parts } = await readBackup(file, null)
    const spoiled = async function* () {
      for await (const part of parts) {
        const tables = { ...(part.kind === 'end' ? part.tables : {}) }
        yield part.kind === 'end' ? { ...part, tables: { ...tables, installation: { rows: 1, sha256: '' } } } : part
      }
    }
    await assert.rejects(load(target, { parts: spoiled(), migrations }), BadBackup)
    assert.equal(
      await textOf(
        target,
        "select count(*)::text from pg_class where relname in ('installation', 'schema_migrations')",
      ),
      '[["0"]]',
    )
    await restored(target)
    await target.close()
  })
})

test('sealed values of a database are opened one by one, and the damaged ones are named', async () => {
  const secrets = createSecrets(Buffer.alloc(32, 1))
  const target = await emptyDatabase()
  await target.query('create table sealed (id text, secret bytea)')
  const seal = (id: string) => `\\x${secrets.seal('plain', `sealed:${id}`).toString('hex')}`
  await target.rows('insert into sealed select * from unnest($1::text[], $2::bytea[])', [
    ['a', 'b', 'c', 'd'],
    [seal('a'), null, seal('a'), '\\x00'],
  ])
  const column = { table: 'sealed', column: 'secret', owner: ['id'], context: ([id]: string[]) => `sealed:${id}` }
  assert.deepEqual(await openAll(target, [column], secrets), {
    opened: 1,
    unopened: [{ column: 'sealed.secret', rows: 2 }],
  })
  await target.close()
})

test('a database on which no service was ever started is not backed up', async () => {
  const session = await emptyDatabase()
  await assert.rejects(all(dump(session, about)), /nothing to back up/)
  await migrate(session, [installation])
  await assert.rejects(all(dump(session, about)), /nothing to back up/)
  await session.close()
})

test('a data folder has no database until all of a restore is in it, and none if the restore fails', {
  skip: isServer && 'about the embedded database',
}, async () => {
  const folder = await temporaryFolder()
  const databases = async () => (await readdir(folder)).filter((name) => name.startsWith('database'))
  const failing = newFolderDatabase(folder, [], async (session) => {
    await session.query('create table notes (id int)')
    // Which is all that a process leaves that is killed now: `draftDatabase` removes the draft.
    assert.deepEqual(await databases(), ['database.new'])
    throw new Error('a restore that fails')
  })
  await assert.rejects(failing, /a restore that fails/)
  assert.deepEqual(await databases(), [])
})
