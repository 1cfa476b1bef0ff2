import assert from 'node:assert/strict'
import { hash, randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createSecrets } from '../storage/secrets.ts'
import { readBackup, writeBackup } from './file.ts'
import { BadBackup, tally, toLine } from './format.ts'
import { createBackupSeal, trailerBytes } from './trailer.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const seal = createBackupSeal(createSecrets(Buffer.alloc(32, 1)))
const otherSeal = createBackupSeal(createSecrets(Buffer.alloc(32, 2)))

const manifest = toLine({
  atrium: 'backup',
  format: 1,
  version: '0.0.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  database: 'pglite',
  migrations: [],
  masterKeyCheck: seal.masterKeyCheck,
})

async function* lines(rows: number, lastText?: string): AsyncGenerator<string> {
  const counted = tally()
  yield manifest
  yield toLine({ table: 'notes', columns: ['id', 'text'] })
  for (let id = 0; id < rows; id++) {
    // U+2028 ends a line for some readers, and é is cut by some at the edge of a chunk.
    const text = `é\u2028\n${'x'.repeat(id % 50)}`
    const row = toLine([String(id), id === rows - 1 ? (lastText ?? text) : text])
    counted.add(row)
    yield row
  }
  yield toLine({ end: { tables: { notes: counted.result() } } })
}

async function rowsIn(path: string, sealedWith: typeof seal | null = seal): Promise<number> {
  let rows = 0
  for await (const part of (await readBackup(path, sealedWith)).parts) if (part.kind === 'row') rows += 1
  return rows
}

test('a file is read as it was written, is its owner’s alone, and any gzip program shows its lines', async () => {
  const path = join(folder, 'whole')
  await writeBackup(path, lines(20_000), seal)
  assert.equal(await rowsIn(path), 20_000)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const shown = gunzipSync(await readFile(path)).toString()
  assert.equal(shown.split('\n')[0], manifest)
  assert.equal(shown.split('\n').length, 1 + 1 + 20_000 + 1 + 1 + 1)
})

test('any one byte that was changed is found', async () => {
  const path = join(folder, 'flipped')
  await writeBackup(path, lines(300), seal)
  const good = await readFile(path)
  const edges = [...Array(12).keys(), ...Array.from({ length: 110 }, (_, index) => good.length - 110 + index)]
  const places = [...edges, ...Array.from({ length: 200 }, () => randomInt(good.length))]
  for (const place of places) {
    const bad = Buffer.from(good)
    bad[place] = (bad[place] as number) ^ (1 << randomInt(8))
    await writeFile(path, bad)
    // Nor does an operator who reads unsealed files get one that is damaged.
    for (const sealedWith of [seal, null]) {
      await assert.rejects(rowsIn(path, sealedWith), BadBackup, `byte ${place} of ${good.length}`)
    }
  }
})

test('a file that was cut short, is followed by something, or is no backup is refused', async () => {
  const path = join(folder, 'cut')
  await writeBackup(path, lines(300), seal)
  const good = await readFile(path)
  const bads = [
    ...[0, 1, 50, 95, 96, 170, 175, good.length - 175, good.length - 95, good.length - 1].map((length) =>
      good.subarray(0, length),
    ),
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
  await writeBackup(path, lines(3), seal)
  const failing = async function* () {
    yield* lines(100_000)
    throw new Error('the database went away')
  }
  await assert.rejects(writeBackup(path, failing(), seal), /went away/)
  assert.equal(await rowsIn(path), 3)
  assert.ok(!(await readdir(folder)).includes('earlier.part'))
})

/** What somebody without the master key can do: change the rows, and make every sum and hash again. */
async function forge(
  path: string,
  content: AsyncIterable<string>,
  hmac: (sha256: string) => string | null,
): Promise<void> {
  const texts: string[] = []
  for await (const line of content) texts.push(`${line}\n`)
  // Not compressed, so that a change of one letter changes no byte before it.
  const body = gzipSync(texts.join(''), { level: 0 })
  const sha256 = hash('sha256', body)
  await writeFile(path, Buffer.concat([body, trailerBytes({ sha256, hmac: hmac(sha256) })]))
}

test('a file with a row more and every sum made again is refused, unless the operator trusts it unsealed', async () => {
  const path = join(folder, 'forged')
  await writeBackup(path, lines(3), seal)
  const [, hmac = ''] = /"hmac":"([0-9a-f]+)"/.exec(gunzipSync(await readFile(path)).toString()) ?? []
  for (const [seals, says] of [
    [null, /It is not sealed/],
    [hmac, /Its seal is wrong/],
    [otherSeal.hmac('x'), /Its seal is wrong/],
    ['?'.repeat(64), /Its seal is wrong/],
  ] as const) {
    await forge(path, lines(4), () => seals)
    await assert.rejects(rowsIn(path), (error: Error) => error instanceof BadBackup && says.test(error.message))
    assert.equal(await rowsIn(path, null), 4)
  }
})

test('a backup of another master key is refused as that, and not as a changed one', async () => {
  const path = join(folder, 'other-key')
  await writeBackup(path, lines(3), seal)
  await assert.rejects(rowsIn(path, otherSeal), /not the one that the backup was made with/)
})

test('a backup that was made unsealed is read only by who asks for unsealed ones', async () => {
  const path = join(folder, 'unsealed')
  await writeBackup(path, lines(3), null)
  assert.equal(await rowsIn(path, null), 3)
  await assert.rejects(rowsIn(path), /It is not sealed.*--unsealed/)
})

test('a file that is exchanged after its seal was looked at is refused before its end', async () => {
  const path = join(folder, 'exchanged')
  await forge(path, lines(40_000, 'good'), seal.hmac)
  const { parts } = await readBackup(path, seal)
  await forge(path, lines(40_000, 'evil'), seal.hmac)
  await assert.rejects(async () => {
    for await (const part of parts) assert.ok(part)
  }, /It was changed while it was read/)
})
