import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../test/harness/service.ts'
import type { Migration } from './migrations.ts'
import { openFolder } from './pglite.ts'
import { createDatabase, preparedDatabase } from './prepared-database.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const notes: Migration[] = [{ name: '0001_notes', sql: 'create table notes (id int)', checksum: 'of notes' }]

/** Asserts that the database opens and has the one table. */
async function assertHasNotes(folder: string): Promise<void> {
  const pglite = await openFolder(folder)
  const { rows } = await pglite.query('select count(*)::int as n from notes')
  await pglite.close()
  assert.deepEqual(rows, [{ n: 0 }])
}

describe('a prepared database', { skip: isServer && 'of PGlite' }, () => {
  let cacheFolder: string
  before(async () => {
    cacheFolder = await temporaryFolder()
  })

  test('is made once, by whichever of several processes is first, and only whole ones are seen', async () => {
    const program = `
      const { preparedDatabase } = await import(${JSON.stringify(import.meta.resolve('./prepared-database.ts'))})
      console.log(await preparedDatabase(${JSON.stringify(notes)}, { cacheFolder: process.argv[1] }))`
    const prepare = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, cacheFolder])
    const [first, second] = await Promise.all([prepare(), prepare()])
    assert.equal(first.stdout, second.stdout)
    assert.deepEqual(await readdir(cacheFolder), [first.stdout.slice(cacheFolder.length + 1).split('/')[0]])
  })

  test('becomes a database that its owner alone can read, and is not changed by it', async () => {
    const prepared = (await preparedDatabase(notes, { cacheFolder })) as string
    const before = await stat(join(prepared, 'global/pg_control'))
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
    assert.equal((await stat(join(prepared, 'global/pg_control'))).mtimeMs, before.mtimeMs)
  })

  test('of which a part was cleared away is made again', async () => {
    const prepared = (await preparedDatabase(notes, { cacheFolder })) as string
    await rm(join(prepared, 'base/5/PG_VERSION'))
    assert.equal(await preparedDatabase(notes, { cacheFolder }), prepared)
    assert.ok(existsSync(join(prepared, 'base/5/PG_VERSION')))
  })

  test('that cannot be kept is no obstacle: the database is made in its place', async () => {
    const closed = join(await temporaryFolder(), 'file')
    await writeFile(closed, '')
    assert.equal(await preparedDatabase(notes, { cacheFolder: closed }), null)
    const folder = join(await temporaryFolder(), 'database')
    await createDatabase(folder, notes, { cacheFolder: closed })
    await assertHasNotes(folder)
  })
})
