import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { lockDataFolder } from './folder-lock.ts'

type Contender = { child: ChildProcess; said: string }

/** A process that tries to take the folder, says whether it did, and holds it until it is killed. */
async function contend(folder: string): Promise<Contender> {
  const program = `
    const { lockDataFolder } = await import(${JSON.stringify(import.meta.resolve('./folder-lock.ts'))})
    const said = await lockDataFolder(process.argv[1]).then(() => 'taken', (error) => error.message)
    process.stdout.write(said)
    setInterval(() => globalThis.gc?.(), 50)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said) }
}

async function kill({ child }: Contender): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function folderFor(t: { after(work: () => Promise<void>): void }): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'atrium-lock-'))
  t.after(() => rm(parent, { recursive: true, force: true }))
  return join(parent, 'data')
}

describe('the lock of a data folder', () => {
  test('keeps a second process out, and tells it who holds the folder and what to do', async (t) => {
    const folder = await folderFor(t)
    const owner = await contend(folder)
    assert.equal(owner.said, 'taken')
    await assert.rejects(lockDataFolder(folder), (error: Error) => {
      assert.ok(error.message.includes(folder))
      assert.ok(error.message.includes(`process ${owner.child.pid} on `))
      assert.match(error.message, /Stop that one first/)
      return true
    })
    await kill(owner)
  })

  test('of a killed process goes to exactly one of the next processes', async (t) => {
    const folder = await folderFor(t)
    for (let round = 0; round < 3; round++) {
      await kill(await contend(folder))
      const contenders = await Promise.all(Array.from({ length: 4 }, () => contend(folder)))
      const winners = contenders.filter(({ said }) => said === 'taken')
      await Promise.all(contenders.map(kill))
      assert.equal(winners.length, 1, contenders.map(({ said }) => said).join('\n'))
    }
  })

  test('is not taken twice in one process, and is free after its release', async (t) => {
    const folder = await folderFor(t)
    const lock = await lockDataFolder(folder)
    await assert.rejects(lockDataFolder(folder), new RegExp(`process ${process.pid} on `))
    assert.notEqual((await contendOnce(folder)).said, 'taken')
    await lock.release()
    assert.deepEqual(await readdir(folder), ['atrium.lock'])
    const next = await lockDataFolder(folder)
    await next.release()
  })

  test('creates the folder for its owner alone', { skip: process.platform === 'win32' }, async (t) => {
    const folder = await folderFor(t)
    const lock = await lockDataFolder(folder)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    await lock.release()
  })

  test('says which file it could not lock', {
    skip: process.getuid?.() === 0 && 'root may write anywhere',
  }, async (t) => {
    const folder = await folderFor(t)
    await (await lockDataFolder(folder)).release()
    await chmod(folder, 0o500)
    await chmod(join(folder, 'atrium.lock'), 0o400)
    await assert.rejects(lockDataFolder(folder), /atrium\.lock cannot be locked/)
    await chmod(folder, 0o700)
  })
})

async function contendOnce(folder: string): Promise<Contender> {
  const contender = await contend(folder)
  await kill(contender)
  return contender
}
