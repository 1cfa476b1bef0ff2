import assert from 'node:assert/strict'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testClock } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'
import { systemCaller } from '../../kernel/caller.ts'
import type { Database } from '../database.ts'
import { mintPlatformScope } from '../mint.ts'
import type { BlobPlace } from './blobs.ts'
import { type FileSharing, fileSharing } from './file-sharing.ts'

describe('nodes of one database', () => {
  const clock = testClock()
  let database: Database
  const running: FileSharing[] = []

  before(async () => {
    database = await freshDatabase()
  })
  after(() => database.close())

  async function startNode(place: BlobPlace) {
    const said: string[] = []
    const note = (_fields: object, text: string) => void said.push(text)
    const platform = mintPlatformScope(database.handle, systemCaller)
    const node = fileSharing({ platform, clock, log: { warn: note, info: note }, place, isShared: true })
    await node.start()
    running.push(node)
    return { ...node, said }
  }

  const stopAll = async () => {
    await Promise.all(running.splice(0).map((node) => node.stop()))
  }
  const folderPlace = async (): Promise<BlobPlace> => ({ kind: 'folder', folder: await temporaryFolder() })
  const warning = /^Other nodes keep uploaded files where this node does not see them.* see docs\/media\.md$/

  test('with one folder say nothing, and leave nothing behind', async () => {
    const folder = await temporaryFolder()
    const nodes = [await startNode({ kind: 'folder', folder }), await startNode({ kind: 'folder', folder })]
    for (const node of nodes) {
      await node.check()
      assert.deepEqual([node.isApart(), node.said], [false, []])
    }
    await stopAll()
    assert.deepEqual(await readdir(join(folder, 'nodes')), [])
    const alone = await startNode(await folderPlace())
    assert.equal(alone.isApart(), false)
    await stopAll()
  })

  test('with folders of their own are warned of at the start of the second, once, and told when it is over', async () => {
    const first = await startNode(await folderPlace())
    const second = await startNode(await folderPlace())
    assert.deepEqual([first.isApart(), second.isApart()], [false, true])
    assert.equal(second.said.length, 1)
    assert.match(second.said[0] ?? '', warning)
    await first.check()
    await second.check()
    assert.ok(first.isApart())
    assert.deepEqual([first.said.length, second.said.length], [1, 1])
    await second.stop()
    await first.check()
    assert.deepEqual([first.isApart(), first.said[1]], [false, 'All nodes see the same uploaded files again'])
    await stopAll()
  })

  test('with a copy of a folder do not see each other either', async () => {
    const original = await temporaryFolder()
    await startNode({ kind: 'folder', folder: original })
    const folder = await temporaryFolder()
    await cp(original, folder, { recursive: true })
    const copied = await startNode({ kind: 'folder', folder })
    // The copy has the first node's file, but that one does not have the second node's.
    const [first] = running
    await first?.check()
    assert.deepEqual([first?.isApart(), copied.isApart()], [true, false])
    await stopAll()
  })

  test('with a folder and a bucket, or with two buckets, are apart; with one bucket they are not', async () => {
    const bucket = (name: string): BlobPlace => ({ kind: 'bucket', bucket: name, endpoint: 's3.example' })
    await startNode(bucket('a'))
    assert.equal((await startNode(bucket('a'))).isApart(), false)
    assert.equal((await startNode(bucket('b'))).isApart(), true)
    assert.equal((await startNode(await folderPlace())).isApart(), true)
    await stopAll()
  })

  test('forget one that was killed after two minutes, and its file after a day', async () => {
    const killed = await folderPlace()
    await startNode(killed)
    const [node] = running.splice(0)
    clock.advance({ seconds: 100 })
    const other = await startNode(await folderPlace())
    assert.ok(other.isApart())
    clock.advance({ seconds: 30 })
    await other.check()
    assert.equal(other.isApart(), false)
    await stopAll()
    await node?.stop()
  })

  test('start also where the folder or the database does not answer', async () => {
    const folder = join(await temporaryFolder(), 'missing')
    await rm(folder, { force: true })
    const node = await startNode({ kind: 'folder', folder: '/dev/null/media' })
    assert.deepEqual([node.isApart(), node.said], [false, []])
    await stopAll()
  })
})
