import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { startS3Server } from '../../../test/harness/s3-server.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from './blobs.ts'
import { diskBlobs } from './disk.ts'
import type { Draft } from './drafts.ts'
import { s3Blobs } from './s3.ts'

type Store = { blobs: Blobs; close(): Promise<void> | void }

const kinds: Record<string, () => Promise<Store>> = {
  'a folder': async () => ({ blobs: diskBlobs(await temporaryFolder()), close: () => undefined }),
  'a bucket': async () => {
    const server = await startS3Server()
    const blobs = s3Blobs(server, await temporaryFolder())
    return {
      blobs,
      close: async () => {
        blobs.close()
        await server.stop()
      },
    }
  },
}
const meta = { contentType: 'image/png' }
const isUnavailable = (error: Refusal) => error.code === 'UNAVAILABLE'

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 70_000) yield bytes.subarray(from, from + 70_000)
}

async function listed(blobs: Blobs) {
  const found: { key: string; size: number }[] = []
  for await (const blob of blobs.list()) found.push(blob)
  return found
}

async function read(stream: Readable | null): Promise<Buffer> {
  assert.ok(stream)
  return buffer(stream)
}

/** Without the difference, which takes minutes to find in large buffers. */
function assertSame(actual: Buffer, expected: Buffer): void {
  assert.ok(actual.equals(expected), `${actual.length} bytes are not the ${expected.length} expected`)
}

for (const [what, open] of Object.entries(kinds)) {
  describe(`blobs in ${what}`, () => {
    let store: Store
    let blobs: Blobs
    before(async () => {
      store = await open()
      blobs = store.blobs
    })
    after(() => store.close())

    const kept = async (bytes: Buffer): Promise<Draft> => {
      const draft = await blobs.drafts.write(chunksOf(bytes))
      await blobs.put(draft, meta)
      await blobs.drafts.remove(draft)
      return draft
    }

    test('stored bytes are read back, whole and by range, under their hash', async () => {
      const bytes = randomBytes(300_001)
      const { sha256, size } = await kept(bytes)
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'))
      assert.equal(size, bytes.length)
      assertSame(await read(await blobs.open(sha256)), bytes)
      for (const [start, end] of [
        [0, 0],
        [5, 99_999],
        [300_000, 300_000],
      ] as const)
        assertSame(await read(await blobs.open(sha256, { start, end })), bytes.subarray(start, end + 1))
      const stat = await blobs.stat(sha256)
      assert.equal(stat?.size, size)
      assert.ok(Math.abs((stat?.modifiedAt.getTime() ?? 0) - Date.now()) < 60_000)
    })

    test('an empty blob can be stored', async () => {
      const { sha256 } = await kept(Buffer.alloc(0))
      assert.equal((await read(await blobs.open(sha256))).length, 0)
      assert.equal((await read(await blobs.open(sha256, { start: 0, end: -1 }))).length, 0)
    })

    test('a missing blob is null, and removing it is no error', async () => {
      const key = 'f'.repeat(64)
      assert.equal(await blobs.open(key), null)
      assert.equal(await blobs.stat(key), null)
      await blobs.remove(key)
    })

    test('a blob is removed for good, and can be stored again', async () => {
      const bytes = randomBytes(1000)
      const { sha256 } = await kept(bytes)
      await blobs.remove(sha256)
      assert.equal(await blobs.stat(sha256), null)
      await kept(bytes)
      assertSame(await read(await blobs.open(sha256)), bytes)
    })

    test('ten concurrent puts of the same bytes make one blob', async () => {
      const bytes = randomBytes(50_000)
      const drafts = await Promise.all(Array.from({ length: 10 }, () => blobs.drafts.write(chunksOf(bytes))))
      await Promise.all(drafts.map((draft) => blobs.put(draft, meta)))
      const { sha256 } = drafts[0] as Draft
      const found = (await listed(blobs)).filter(({ key }) => key === sha256)
      assert.deepEqual(
        found.map(({ size }) => size),
        [bytes.length],
      )
      await Promise.all(drafts.map((draft) => blobs.drafts.remove(draft)))
    })

    test('the list names every blob once, in ascending order', async () => {
      const made = await Promise.all(Array.from({ length: 12 }, () => kept(randomBytes(10))))
      const keys = (await listed(blobs)).map(({ key }) => key)
      assert.deepEqual(keys, [...new Set(keys)].sort())
      for (const { sha256 } of made) assert.ok(keys.includes(sha256))
    })

    test('no key but a hash is accepted', async () => {
      for (const key of ['', '../admin-key', '..', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`, 'a/../b']) {
        await assert.rejects(async () => blobs.open(key), /SHA-256/, key)
        await assert.rejects(async () => blobs.stat(key), /SHA-256/, key)
        await assert.rejects(async () => blobs.remove(key), /SHA-256/, key)
        await assert.rejects(async () => blobs.put({ path: '/etc/passwd', size: 1, sha256: key }, meta), /SHA-256/, key)
      }
    })

    test('a draft whose source fails leaves no file', async () => {
      const source = async function* () {
        yield randomBytes(100_000)
        throw new Error('the client has gone')
      }
      await assert.rejects(blobs.drafts.write(source()), /the client has gone/)
      assert.equal(await blobs.drafts.removeOlder(new Date(Date.now() + 60_000)), 0)
    })

    test('drafts of an ended process are removed when they are old, and no others', async () => {
      const old = await blobs.drafts.write(chunksOf(randomBytes(10)))
      const young = await blobs.drafts.write(chunksOf(randomBytes(10)))
      utimesSync(old.path, new Date(0), new Date(0))
      assert.equal(await blobs.drafts.removeOlder(new Date(Date.now() - 3_600_000)), 1)
      assert.throws(() => readFileSync(old.path), /ENOENT/)
      assert.equal(readFileSync(young.path).length, 10)
      await blobs.drafts.remove(young)
    })
  })
}

describe('a folder of blobs', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length

  test('a reader that stops leaves no file open', { skip: process.platform !== 'linux' }, async () => {
    const blobs = diskBlobs(await temporaryFolder())
    const draft = await blobs.drafts.write(chunksOf(randomBytes(2_000_000)))
    await blobs.put(draft, meta)
    const before = openFiles()
    for (let i = 0; i < 20; i++) {
      const stream = await blobs.open(draft.sha256)
      assert.ok(stream)
      await new Promise((resolve) => stream.once('data', resolve))
      await new Promise((resolve) => stream.destroy().once('close', resolve))
    }
    assert.ok(openFiles() <= before + 1, `${openFiles()} files are open, ${before} were`)
  })

  test('a folder that cannot be written to is UNAVAILABLE, and leaves nothing', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'drafts'), 'a file where a folder should be')
    const blobs = diskBlobs(folder)
    await assert.rejects(blobs.drafts.write(chunksOf(Buffer.from('x'))), isUnavailable)
    await rm(join(folder, 'drafts'))
    const draft = await blobs.drafts.write(chunksOf(Buffer.from('x')))
    await writeFile(join(folder, 'blobs'), 'another one')
    await assert.rejects(blobs.put(draft, meta), isUnavailable)
  })
})

describe('a bucket', () => {
  test('that is down, or has other credentials, is UNAVAILABLE, and nothing is stored in part', async () => {
    const server = await startS3Server()
    const blobs = s3Blobs(server, await temporaryFolder())
    const credentials = { secretAccessKey: 'of-somebody-else-0123456789' }
    const stranger = s3Blobs({ ...server, ...credentials }, await temporaryFolder())
    const draft = await blobs.drafts.write(chunksOf(randomBytes(200_000)))
    await assert.rejects(stranger.put(draft, meta), isUnavailable)
    await assert.rejects(
      stranger.put(draft, meta),
      (error: Error) => !inspect(error, { depth: 9, showHidden: true }).includes('somebody-else'),
    )
    assert.deepEqual(await listed(blobs), [])
    await server.stop()
    for (const work of [
      () => blobs.put(draft, meta),
      () => blobs.open(draft.sha256),
      () => blobs.stat(draft.sha256),
      () => blobs.remove(draft.sha256),
      () => listed(blobs),
    ])
      await assert.rejects(work, isUnavailable)
    await server.restart()
    assert.equal(await blobs.stat(draft.sha256), null)
    await blobs.put(draft, meta)
    assert.equal((await blobs.stat(draft.sha256))?.size, 200_000)
    blobs.close()
    stranger.close()
    await server.stop()
  })

  test('that accepts a connection and then does not answer is UNAVAILABLE in time', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const timeouts = { question: 40, silence: 40 }
    const endpoint = `http://127.0.0.1:${port}`
    const account = { region: 'us-east-1', bucket: 'atrium', accessKeyId: 'TESTS', secretAccessKey: 'TESTS' }
    const blobs = s3Blobs({ endpoint, ...account, timeouts }, await temporaryFolder())
    const key = 'a'.repeat(64)
    for (const work of [() => blobs.stat(key), () => blobs.remove(key), () => blobs.open(key)])
      await assert.rejects(work, isUnavailable)
    blobs.close()
    silent.close()
  })

  test('serves files with their content type, to be cached for ever', async () => {
    const server = await startS3Server()
    const blobs = s3Blobs(server, await temporaryFolder())
    const draft = await blobs.drafts.write(chunksOf(randomBytes(10)))
    await blobs.put(draft, { contentType: 'image/webp' })
    const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const { accessKeyId, secretAccessKey, endpoint, region, bucket: Bucket } = server
    const client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
    })
    const object = await client.send(new GetObjectCommand({ Bucket, Key: `media/${draft.sha256}` }))
    assert.equal(object.ContentType, 'image/webp')
    assert.equal(object.CacheControl, 'public, max-age=31536000, immutable')
    client.destroy()
    blobs.close()
    await server.stop()
  })
})
