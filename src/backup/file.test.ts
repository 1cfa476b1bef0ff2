import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readBackup, writeBackup } from './file.ts'
import { BadBackup, tally, toLine } from './format.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const manifest = toLine({
  atrium: 'backup',
  format: 1,
  version: '0.0.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  database: 'pglite',
  migrations: [],
  masterKeyCheck: 'x',
})

async function* lines(rows: number): AsyncGenerator<string> {
  const counted = tally()
  yield manifest
  yield toLine({ table: 'notes', columns: ['id', 'text'] })
  for (let id = 0; id < rows; id++) {
    // U+2028 ends a line for some readers, and é is cut by some at the edge of a chunk.
    const row = toLine([String(id), `é\u2028\n${'x'.repeat(id % 50)}`])
    counted.add(row)
    yield row
  }
  yield toLine({ end: { tables: { notes: counted.result() } } })
}

async function rowsIn(path: string): Promise<number> {
  let rows = 0
  for await (const part of (await readBackup(path)).parts) if (part.kind === 'row') rows += 1
  return rows
}

test('a file is read as it was written, is its owner’s alone, and any gzip program shows its lines', async () => {
  const path = join(folder, 'whole')
  await writeBackup(path, lines(20_000))
  assert.equal(await rowsIn(path), 20_000)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const shown = gunzipSync(await readFile(path)).toString()
  assert.equal(shown.split('\n')[0], manifest)
  assert.equal(shown.split('\n').length, 1 + 1 + 20_000 + 1 + 1 + 1)
})

test('any one byte that was changed is found', async () => {
  const path = join(folder, 'flipped')
  await writeBackup(path, lines(300))
  const good = await readFile(path)
  const edges = [...Array(12).keys(), ...Array.from({ length: 110 }, (_, index) => good.length - 110 + index)]
  const places = [...edges, ...Array.from({ length: 200 }, () => randomInt(good.length))]
  for (const place of places) {
    const bad = Buffer.from(good)
    bad[place] = (bad[place] as number) ^ (1 << randomInt(8))
    await writeFile(path, bad)
    await assert.rejects(rowsIn(path), BadBackup, `byte ${place} of ${good.length}`)
  }
})

test('a file that was cut short, is followed by something, or is no backup is refused', async () => {
  const path = join(folder, 'cut')
  await writeBackup(path, lines(300))
  const good = await readFile(path)
  const bads = [
    ...[0, 1, 50, 95, 96, good.length - 95, good.length - 1].map((length) => good.subarray(0, length)),
    Buffer.concat([good, Buffer.of(0)]),
    Buffer.concat([good, good]),
    Buffer.from('no backup at all\n'.repeat(50)),
  ]
  for (const bad of bads) {
    await writeFile(path, bad)
    await assert.rejects(rowsIn(path), BadBackup, `${bad.length} bytes`)
  }
  await assert.rejects(rowsIn(join(folder, 'nowhere')), /There is no file/)
})

test('a backup that fails half-way leaves the earlier file as it was, and nothing beside it', async () => {
  const path = join(folder, 'earlier')
  await writeBackup(path, lines(3))
  const failing = async function* () {
    yield* lines(100_000)
    throw new Error('the database went away')
  }
  await assert.rejects(writeBackup(path, failing()), /went away/)
  assert.equal(await rowsIn(path), 3)
  assert.ok(!(await readdir(folder)).includes('earlier.part'))
})
