import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Refusal } from '../kernel/refusal.ts'
import { copyDatabase } from './snapshot.ts'

const longAgo = new Date(Date.now() - 3_600_000)

async function place(t: TestContext, files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-snapshot-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const from = join(folder, 'database')
  await mkdir(join(from, 'base'), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(from, name), text)
    await utimes(join(from, name), longAgo, longAgo)
  }
  return { from, to: join(folder, 'copy') }
}

async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')])),
  )
}

test('a copy is the database at the pause: with what was changed, created or removed before it, and nothing after it', async (t) => {
  const it = await place(t, { kept: 'old', 'base/changed': 'one', removed: 'x', grown: 'a' })
  let atPause = {}
  const { bytes } = await copyDatabase(it, async (work) => {
    await writeFile(join(it.from, 'base/changed'), 'two') // of the same length
    await writeFile(join(it.from, 'grown'), 'aa')
    await writeFile(join(it.from, 'base/new'), 'n')
    await rm(join(it.from, 'removed'))
    atPause = await contentOf(it.from)
    await work()
    await writeFile(join(it.from, 'kept'), 'changed after the pause')
  })
  assert.deepEqual(await contentOf(it.to), atPause)
  assert.equal(bytes, 'old'.length + 'two'.length + 'aa'.length + 'n'.length)
})

test('a file that was changed just now is copied in the pause even if its time and size are the same', async (t) => {
  const it = await place(t, { file: 'one' })
  const now = new Date()
  await utimes(join(it.from, 'file'), now, now)
  await copyDatabase(it, async (work) => {
    await writeFile(join(it.from, 'file'), 'two')
    await utimes(join(it.from, 'file'), now, now)
    await work()
  })
  assert.deepEqual(await contentOf(it.to), { file: 'two' })
})

test('a copy is made neither in a missing folder nor over another copy', async (t) => {
  const it = await place(t, { file: 'one' })
  const refused = (code: string) => (error: Error) => error instanceof Refusal && error.code === code
  const alone = (work: () => Promise<void>) => work()
  await assert.rejects(copyDatabase({ ...it, to: join(it.to, 'database') }, alone), refused('NOT_FOUND'))
  await mkdir(it.to)
  await assert.rejects(copyDatabase(it, alone), refused('STATE_CONFLICT'))
})
