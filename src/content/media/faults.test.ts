import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { testDatabase } from '../../../test/harness/database.ts'
import { formOf, picture, upload } from '../../../test/harness/media.ts'
import { startS3Server } from '../../../test/harness/s3-server.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { claimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import { diskBlobs } from '../../storage/blobs/disk.ts'
import { storeUnavailable } from '../../storage/blobs/fault.ts'
import { s3Blobs } from '../../storage/blobs/s3.ts'
import type { Database } from '../../storage/database.ts'
import type { Handle } from '../../storage/handle.ts'
import { sweepService } from './sweep.service.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const image = async () => ({ bytes: await picture(64, 48), name: 'a.png' })
const note = () => ({ bytes: `note ${randomBytes(12).toString('hex')}`, name: 'a.txt' })

/** A store that fails at the n-th call of one kind, or from then on; its `remove` too where the process is to be dead. */
type Fault = { doing: 'write' | 'put' | 'stat'; at: number; isDead: boolean }

function failing(inner: Blobs) {
  const state = { fault: null as Fault | null, calls: { write: 0, put: 0, stat: 0 } }
  const isDown = { is: false }
  const step = (doing: Fault['doing']) => {
    state.calls[doing]++
    const { fault } = state
    if (fault?.doing !== doing || state.calls[doing] !== fault.at) return
    isDown.is = fault.isDead
    throw storeUnavailable('do its work', { code: doing === 'write' ? 'ENOSPC' : 'EIO' })
  }
  const refuseDead = () => {
    if (isDown.is) throw storeUnavailable('do its work', { code: 'EIO' })
  }
  const drafts: Blobs['drafts'] = {
    ...inner.drafts,
    write: async (source) => {
      const counted = (async function* () {
        for await (const chunk of source) yield chunk
        step('write') // in the midst of it: the bytes are there, the file is not done
      })()
      return inner.drafts.write(counted)
    },
    remove: async (draft) => {
      if (!isDown.is) await inner.drafts.remove(draft)
    },
  }
  const store: Blobs = {
    ...inner,
    drafts,
    put: async (draft, meta) => {
      refuseDead()
      step('put')
      await inner.put(draft, meta)
    },
    stat: async (key) => {
      step('stat')
      return inner.stat(key)
    },
    remove: async (key) => {
      refuseDead()
      await inner.remove(key)
    },
  }
  const failAt = (fault: Fault | null) => {
    state.calls = { write: 0, put: 0, stat: 0 }
    state.fault = fault
    isDown.is = false
  }
  return { store, failAt, calls: () => state.calls }
}

/** Fails one transaction, before its commit or after it, as a lost connection does. */
function failingDatabase(database: Database) {
  const state = { fail: null as 'before' | 'after' | 'always' | null, within: /insert into media / }
  const handle: Handle = {
    ...database.handle,
    transaction: async (work) => {
      if (state.fail === 'always') throw lost()
      let isOurs = false
      const done = await database.handle.transaction(async (tx) => {
        const watched: Handle = {
          ...tx,
          execute: (statement) => {
            if (state.within.test(textOf(statement))) isOurs = true
            return tx.execute(statement)
          },
        }
        const result = await work(watched)
        if (isOurs && state.fail === 'before') throw lost()
        return result
      })
      if (isOurs && state.fail === 'after') throw lost()
      return done
    },
  }
  return { state, database: { ...database, handle } }
}

const lost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
const textOf = (statement: object) => JSON.stringify(statement)

/** Other tests have another store: what is left here would be files without bytes to them. */
async function removeAll(app: TestApp, blobs: Blobs): Promise<void> {
  const { body } = await app.call({ url: '/admin/cms/media?limit=100', headers: app.admin })
  for (const { id, sha256 } of body.media) {
    if ((await blobs.stat(sha256)) === null) continue
    await app.call({ method: 'DELETE', url: `/admin/cms/media/${id}`, headers: app.admin })
  }
}

describe('a failed upload', () => {
  let app: TestApp
  let blobs: Blobs
  let faults: ReturnType<typeof failing>
  let folder: string
  let fail: ReturnType<typeof failingDatabase>['state']
  let sweep: ReturnType<typeof sweepService>['sweep']
  before(async () => {
    folder = await temporaryFolder()
    faults = failing(diskBlobs(folder))
    blobs = faults.store
    const wrapped = failingDatabase(await testDatabase())
    fail = wrapped.state
    app = await testApp({ blobs, database: wrapped.database })
    const parts = { clock: app.clock, log: silent, metrics: metricsRegistry(), blobs }
    const swept = sweepService({ ...parts, claimedBlobs: claimedBlobs(parts) })
    sweep = swept.sweep
  })

  after(async () => {
    faults.failAt(null)
    await removeAll(app, blobs)
    assert.deepEqual(await files(), [])
  })

  const files = async () =>
    existsSync(folder)
      ? (await readdir(folder, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
      : []
  const rows = async () =>
    (await app.call({ url: '/admin/cms/media?limit=1', headers: app.admin })).body.pagination.total
  /** An hour later everything that is left is old enough. The rows of other tests have their blobs elsewhere. */
  const sweepLater = async () => {
    const later = { now: () => new Date(Date.now() + 2 * 3_600_000) }
    const parts = { clock: later, log: silent, metrics: metricsRegistry(), blobs }
    const { drafts, orphans } = await sweepService({ ...parts, claimedBlobs: claimedBlobs(parts) }).sweep(
      app.platform,
      new AbortController().signal,
    )
    return drafts + orphans.length
  }

  test('leaves no file and no row, wherever the disk fails', async () => {
    faults.failAt(null)
    const good = await upload(app, await image())
    assert.equal(good.status, 201)
    const steps = { ...faults.calls() }
    assert.ok(steps.write > 5 && steps.put > 5 && steps.stat > 5)
    const known = await files()
    const total = await rows()
    for (const doing of ['write', 'put', 'stat'] as const) {
      for (let at = 1; at <= steps[doing]; at++) {
        faults.failAt({ doing, at, isDead: false })
        const reply = await upload(app, await image())
        assert.deepEqual([reply.status, reply.body.code], [503, 'UNAVAILABLE'], `${doing} ${at}`)
        assert.deepEqual([await files(), await rows()], [known, total], `${doing} ${at}`)
      }
    }
    faults.failAt(null)
    assert.equal(await sweepLater(), 0, 'a sweep finds nothing')
    assert.equal((await upload(app, await image())).status, 201)
  })

  test('of a process that died leaves what the sweep removes, and nothing else goes with it', async () => {
    faults.failAt(null)
    const kept = (await upload(app, await image())).body.media
    const known = (await files()).sort()
    const total = await rows()
    for (const fault of [
      { doing: 'write', at: 3 },
      { doing: 'put', at: 4 },
      { doing: 'stat', at: 2 },
    ] as const) {
      faults.failAt({ ...fault, isDead: true })
      assert.equal((await upload(app, await image())).status, 503)
      const left = (await files()).length - known.length
      assert.ok(left > 0, 'a dead process tidies nothing')
      faults.failAt(null)
      const young = await sweep(app.platform, new AbortController().signal)
      assert.deepEqual([young.orphans, young.drafts], [[], 0], 'what is young may belong to an upload that runs')
      assert.equal(await sweepLater(), left)
      assert.deepEqual([(await files()).sort(), await rows()], [known, total])
    }
    assert.equal((await app.call({ url: kept.url })).status, 200)
  })

  test('whose row is not written leaves no file; one whose answer alone is lost keeps both', async () => {
    faults.failAt(null)
    const [known, total] = [await files(), await rows()]
    const sent = await image()
    fail.fail = 'before'
    assert.equal((await upload(app, sent)).status, 503)
    assert.deepEqual([await files(), await rows()], [known, total])
    fail.fail = 'after'
    assert.equal((await upload(app, sent)).status, 503)
    fail.fail = null
    assert.equal(await rows(), total + 1)
    const again = await upload(app, sent)
    assert.deepEqual([again.status, again.body.duplicate], [200, true], 'sent again, it is there')
    assert.equal((await app.call({ url: again.body.media.variants.thumb.url })).status, 200)
  })

  test('while the database stays away leaves what the sweep removes', async () => {
    const known = (await files()).sort()
    fail.fail = 'always'
    assert.equal((await upload(app, await image())).status, 503)
    fail.fail = null
    const left = (await files()).length - known.length
    assert.ok(left > 0)
    assert.equal(await sweepLater(), left)
    assert.deepEqual((await files()).sort(), known)
  })

  test('beside a good one of the same bytes takes nothing from it', async () => {
    for (let at = 1; at <= 6; at++) {
      const sent = await image()
      faults.failAt({ doing: 'stat', at, isDead: false })
      const replies = await Promise.all(Array.from({ length: 4 }, () => upload(app, sent)))
      faults.failAt(null)
      const good = replies.find(({ status }) => status < 300)
      assert.ok(good, JSON.stringify(replies.map(({ body }) => body)))
      const { media } = (await upload(app, sent)).body
      for (const { url } of [media, ...Object.values<{ url: string }>(media.variants)])
        assert.equal((await app.call({ url })).status, 200)
    }
  })

  test('that stops in its midst leaves nothing', async () => {
    faults.failAt(null)
    const known = await files()
    await app.app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.app.server.server.address() as { port: number }
    const { headers, body } = await formOf([{ bytes: randomBytes(300_000), name: 'a.zip' }])
    body.write('PK\x03\x04', body.indexOf('\r\n\r\n') + 4, 'latin1')
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const lines = ['POST /admin/cms/media HTTP/1.1', 'Host: a', `X-Admin-Key: ${app.admin['x-admin-key']}`]
    socket.write(
      [...lines, `Content-Type: ${headers['content-type']}`, `Content-Length: ${body.length}`, '', ''].join('\r\n'),
    )
    socket.write(body.subarray(0, 200_000))
    while ((await files()).length === known.length) await turn()
    socket.destroy()
    while ((await files()).length > known.length) await turn()
    assert.equal(await sweepLater(), 0)
  })

  test('and a download that is left leave no file open', { skip: process.platform !== 'linux' }, async () => {
    faults.failAt(null)
    const bytes = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), randomBytes(20_000_000)])
    const { media } = (await upload(app, { bytes, name: 'large.zip' })).body
    const { port } = app.app.server.server.address() as { port: number }
    const open = () => readdirSync('/proc/self/fd').length
    const before = open()
    for (let i = 0; i < 10; i++) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET ${media.url} HTTP/1.1\r\nHost: a\r\n\r\n`)
      await once(socket, 'data')
      socket.pause()
      socket.destroy()
    }
    while (open() > before + 2) await turn()
    const file = await fetch(`http://127.0.0.1:${port}${media.url}`)
    assert.ok(Buffer.from(await file.arrayBuffer()).equals(bytes), 'of which one still can have all')
  })

  test('is told apart from lost bytes, which the sweep only reports', async () => {
    faults.failAt(null)
    const { media } = (await upload(app, note())).body
    await blobs.remove(media.sha256)
    const { missing } = await sweep(app.platform, new AbortController().signal)
    assert.ok(missing.includes(media.sha256))
    assert.equal((await app.call({ url: media.url })).status, 404)
    assert.equal((await app.call({ url: `/admin/cms/media/${media.id}`, headers: app.admin })).status, 200)
    await app.call({ method: 'DELETE', url: `/admin/cms/media/${media.id}`, headers: app.admin })
    const later = await sweep(app.platform, new AbortController().signal)
    assert.ok(!later.missing.includes(media.sha256))
  })

  test('of long ago is swept at the next start', async () => {
    const { path } = await diskBlobs(folder).drafts.write((async function* () {})())
    utimesSync(path, new Date(0), new Date(0))
    await app.app.prepare()
    assert.ok(!existsSync(path))
    assert.deepEqual(readdirSync(join(folder, 'drafts')), [])
  })
})

describe('uploads into a bucket', () => {
  let server: Awaited<ReturnType<typeof startS3Server>>
  let app: TestApp
  let folder: string
  let blobs: ReturnType<typeof s3Blobs>
  before(async () => {
    server = await startS3Server()
    folder = await temporaryFolder()
    blobs = s3Blobs(server, folder)
    app = await testApp({ blobs })
  })
  after(async () => {
    await removeAll(app, blobs)
    blobs.close()
    await server.stop()
  })

  test('are served from it, whole and by range, and removed from it', async () => {
    const bytes = await picture(500, 300)
    const { media } = (await upload(app, { bytes, name: 'cloud.png' })).body
    assert.ok((await app.call({ url: media.url })).bytes.equals(bytes))
    const part = await app.call({ url: media.url, headers: { range: 'bytes=100-199' } })
    assert.equal(part.status, 206)
    assert.ok(part.bytes.equals(bytes.subarray(100, 200)))
    assert.equal((await app.call({ url: media.variants.og.url })).status, 200)
    assert.deepEqual(readdirSync(folder), [], 'no draft is left on this node')
    const url = `/admin/cms/media/${media.id}`
    assert.equal((await app.call({ method: 'DELETE', url, headers: app.admin })).status, 204)
    assert.equal((await app.call({ url: media.url })).status, 404)
  })

  test('are 503 while it is away, store nothing, and work again when it is back', async () => {
    const stored = (await upload(app, await image())).body.media
    const sent = note()
    await server.stop()
    const away = await upload(app, sent)
    assert.deepEqual([away.status, away.body.code], [503, 'UNAVAILABLE'])
    assert.equal((await app.call({ url: stored.url })).status, 503)
    assert.deepEqual(readdirSync(folder), [])
    await server.restart()
    assert.equal((await app.call({ url: stored.url })).status, 200)
    assert.equal((await upload(app, sent)).status, 201, 'it was not there')
  })
})
