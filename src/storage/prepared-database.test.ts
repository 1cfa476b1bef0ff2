import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../test/harness/service.ts'
import type { Migration } from './migrations.ts'
import { openFolder, openMemory } from './pglite.ts'
import { archivePath, createDatabase, preparedDatabase } from './prepared-database.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const notes: Migration[] = [{ name: '0001_notes', sql: 'create table notes (id int)', checksum: 'of notes' }]

/** Asserts that the database opens and has the one table. */
async function assertHasNotes(folder: string): Promise<void> {
  const pglite = await openFolder(folder)
  const { rows } = await pglite.query('select count(*)::int as n from notes')
  const databases = await pglite.query('select datname from pg_database')
  await pglite.close()
  assert.deepEqual(rows, [{ n: 0 }])
  assert.deepEqual(databases.rows, [{ datname: 'postgres' }], 'only one is written and synced')
}

describe('a prepared database', { skip: isServer && 'of PGlite' }, () => {
  let cacheFolder: string
  let archive: string
  before(async () => {
    cacheFolder = await temporaryFolder()
    archive = await archivePath(notes, { cacheFolder })
    // Of an empty one, which takes seconds to create, those with tables are made.
    await preparedDatabase([])
    await cp(await archivePath([]), await archivePath([], { cacheFolder }))
  })

  test('is the same for all processes, also if several make it at once, and only whole ones are seen', async () => {
    // Of processes that were killed long ago.
    const old = join(cacheFolder, 'draft-old')
    await mkdir(old)
    await utimes(old, new Date('2026-01-01'), new Date('2026-01-01'))
    const program = `
      const { preparedDatabase } = await import(${JSON.stringify(import.meta.resolve('./prepared-database.ts'))})
      const { files } = await preparedDatabase(${JSON.stringify(notes)}, { cacheFolder: process.argv[1] })
      console.log(files.length)`
    const prepare = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, cacheFolder])
    const [first, second] = await Promise.all([prepare(), prepare()])
    assert.equal(first.stdout, second.stdout)
    const names = [archive, await archivePath([], { cacheFolder })].map((path) => basename(path))
    assert.deepEqual((await readdir(cacheFolder)).sort(), names.sort(), 'no draft is left')
    const made = await stat(archive)
    assert.ok(made.size < 2_000_000, `${made.size} bytes`)
    const again = await preparedDatabase(notes, { cacheFolder })
    assert.equal(`${again.files.length}\n`, first.stdout)
    assert.equal((await stat(archive)).mtimeMs, made.mtimeMs)
  })

  test('becomes a database that its owner alone can read', async () => {
    const folder = join(await temporaryFolder(), 'database')
    // What a process leaves that is killed in the middle of a copy.
    await mkdir(join(`${folder}.new`, 'base'), { recursive: true })
    await writeFile(join(`${folder}.new`, 'PG_VERSION'), '18')
    await createDatabase(folder, notes, { cacheFolder })
    for (const path of ['', 'base', 'PG_VERSION', 'global/pg_control']) {
      assert.equal((await stat(join(folder, path))).mode & 0o077, 0, path)
    }
    await assertHasNotes(folder)
    assert.deepEqual(await readdir(join(folder, '..')), ['database'])
  })

  test('is copied for each database in memory: what one writes no other sees', async () => {
    const prepared = await preparedDatabase(notes, { cacheFolder })
    const [one, other] = [await openMemory(prepared), await openMemory(prepared)]
    // Changes pages that every copy has.
    await one.exec('alter table notes rename to renamed; checkpoint')
    const late = await openMemory(prepared)
    for (const each of [other, late])
      assert.deepEqual((await each.query('select count(*)::int as n from notes')).rows, [{ n: 0 }])
    for (const each of [one, other, late]) await each.close()
  })

  test('that is damaged is made again', async () => {
    const { files } = await preparedDatabase(notes, { cacheFolder })
    const bytes = await readFile(archive)
    const middle = bytes.length >> 1
    bytes[middle] = ~bytes.readUInt8(middle)
    await writeFile(archive, bytes)
    assert.equal((await preparedDatabase(notes, { cacheFolder })).files.length, files.length)
    assert.notDeepEqual(await readFile(archive), bytes)
  })

  test('that cannot be cached is no obstacle', async () => {
    const closed = join(await temporaryFolder(), 'file')
    await writeFile(closed, '')
    const folder = join(await temporaryFolder(), 'database')
    await createDatabase(folder, notes, { cacheFolder: closed })
    await assertHasNotes(folder)
  })
})
