import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { type TestApp, testApp, testBlobs, unique } from '../../../test/harness/app.ts'
import { picture, upload } from '../../../test/harness/media.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../storage/scope.ts'
import type { MediaLibrary, MediaUser } from './media-library.ts'
import { mediaModule } from './media-module.ts'

let app: TestApp
let library: MediaLibrary
before(async () => {
  app = await testApp()
  const { platform, clock } = app
  const nothing = { audit: async () => undefined, publicChanged: async () => undefined, log: silent }
  const metrics = { counter: () => () => ({ add: () => undefined }), sampled: () => undefined } as never
  library = mediaModule({ platform, clock, metrics, blobs: await testBlobs(), ...nothing }).library
})
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const text = () => ({ bytes: `note ${randomBytes(20).toString('hex')}`, name: `${unique('note')}.txt` })
const admin = () => app.admin
const one = (id: string) => app.call({ url: `/admin/cms/media/${id}`, headers: admin() })

/** Lists are newest first: each is a second younger than the one before. */
async function stored(name = `${unique('photo')}.png`, fields: Record<string, string> = {}) {
  app.clock.advance({ seconds: 1 })
  const reply = await upload(app, { bytes: await picture(320, 200), name }, fields)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.media
}

describe('an uploaded image', () => {
  test('is described by its bytes and the texts sent with it, and has its variants', async () => {
    const bytes = await picture(1200, 800, 'jpeg')
    const reply = await upload(
      app,
      { bytes, name: 'C:\\pics\\Büro Foto.JPEG', type: 'image/jpeg', field: 'image' },
      {
        alt: 'Ein Büro',
        title: 'Büro',
        caption: 'Innen',
        folder: 'team/berlin',
        tags: 'office, team',
        focalX: '10',
        focalY: '90',
      },
    )
    assert.equal(reply.status, 201)
    const { media } = reply.body
    const { id, url, variants, placeholder, createdAt, ...rest } = media
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    assert.deepEqual(rest, {
      filename: 'Büro-Foto.jpg',
      originalName: 'Büro Foto.JPEG',
      mimeType: 'image/jpeg',
      kind: 'image',
      size: bytes.length,
      sha256,
      width: 1200,
      height: 800,
      hasAlpha: false,
      alt: 'Ein Büro',
      title: 'Büro',
      caption: 'Innen',
      tags: ['office', 'team'],
      folder: 'team/berlin',
      focalX: 10,
      focalY: 90,
      uploadedBy: 'admin key',
      usedByCount: 0,
      updatedAt: createdAt,
      revision: 1,
    })
    assert.equal(reply.headers['location'], `/admin/cms/media/${id}`)
    assert.equal(url, `/media/${sha256.slice(0, 32)}/B%C3%BCro-Foto.jpg`)
    assert.match(placeholder, /^data:image\/webp;base64,/)
    assert.ok(placeholder.length < 1000)
    const sizes = Object.entries<{ width: number; height: number; mimeType: string }>(variants).map(
      ([name, { width, height, mimeType }]) => [name, width, height, mimeType],
    )
    assert.deepEqual(sizes.sort(), [
      ['lg', 1200, 800, 'image/webp'],
      ['md', 960, 640, 'image/webp'],
      ['og', 1200, 630, 'image/jpeg'],
      ['sm', 480, 320, 'image/webp'],
      ['thumb', 160, 107, 'image/webp'],
    ])
    for (const [name, variant] of Object.entries<{ url: string; size: number; mimeType: string; width: number }>(
      variants,
    )) {
      assert.match(variant.url, new RegExp(`/${name}-B%C3%BCro-Foto\\.(webp|jpg)$`))
      const file = await app.call({ url: variant.url })
      assert.deepEqual([file.status, file.bytes.length], [200, variant.size])
      assert.equal(file.headers['content-type'], variant.mimeType)
      assert.equal((await sharp(file.bytes).metadata()).width, variant.width)
    }
    assert.deepEqual((await app.call({ url })).bytes, bytes)
  })

  test('is turned as its camera says, and its variants tell nothing of where it was taken', async () => {
    const bytes = await sharp(await picture(200, 100, 'jpeg'))
      .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { body } = await upload(app, { bytes, name: 'turned.jpg' })
    assert.deepEqual([body.media.width, body.media.height], [100, 200])
    assert.deepEqual([body.media.variants.lg.width, body.media.variants.lg.height], [100, 200])
    const variant = await sharp((await app.call({ url: body.media.variants.lg.url })).bytes).metadata()
    assert.equal(variant.exif, undefined)
    assert.equal(variant.orientation, undefined)
  })

  test('that moves is kept as it is, and its variants show its start', async () => {
    const frames = await Promise.all([picture(40, 40), picture(40, 40), picture(40, 40)])
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const { body } = await upload(app, { bytes, name: 'moving.gif' })
    assert.deepEqual([body.media.mimeType, body.media.width, body.media.height], ['image/gif', 40, 40])
    assert.deepEqual((await app.call({ url: body.media.url })).bytes, bytes)
    const thumb = await sharp((await app.call({ url: body.media.variants.thumb.url })).bytes).metadata()
    assert.deepEqual([thumb.pages ?? 1, thumb.width], [1, 40])
  })

  test('may be AVIF or WebP, and may have a wrong ending of its own kind', async () => {
    for (const format of ['avif', 'webp', 'png'] as const) {
      const { status, body } = await upload(app, { bytes: await picture(50, 30, format), name: 'slip.jpg' })
      assert.equal(status, 201, JSON.stringify(body))
      assert.deepEqual([body.media.filename, body.media.mimeType], [`slip.${format}`, `image/${format}`])
      assert.deepEqual([body.media.width, body.media.height], [50, 30])
    }
  })
})

describe('uploads', () => {
  test('of several files give the first as `media` and all as `items`', async () => {
    const [a, b] = [text(), text()]
    const reply = await upload(
      app,
      [
        { ...a, field: 'files[]' },
        { ...b, field: 'files[]' },
      ],
      { folder: 'several' },
    )
    assert.equal(reply.status, 201)
    const names = reply.body.items.map(({ originalName, folder }: { originalName: string; folder: string }) => [
      originalName,
      folder,
    ])
    assert.deepEqual(names, [
      [a.name, 'several'],
      [b.name, 'several'],
    ])
    assert.deepEqual(reply.body.media, reply.body.items[0])
  })

  test('of bytes that are there are answered with what there is', async () => {
    const file = { bytes: await picture(60, 60), name: 'first.png' }
    const first = await upload(app, file, { alt: 'first' })
    const again = await upload(app, { ...file, name: 'again.png' }, { alt: 'again' })
    assert.deepEqual([first.status, again.status], [201, 200])
    assert.equal(again.body.duplicate, true)
    assert.equal(first.body.duplicate, undefined)
    assert.deepEqual(again.body.media, first.body.media)
    const both = await upload(app, [text(), file, file])
    assert.deepEqual(
      [both.status, both.body.items[1].id, both.body.items[2].id],
      [201, first.body.media.id, first.body.media.id],
    )
  })

  test('of the same bytes by ten at once end with one file, one blob and nine duplicates', async () => {
    for (const file of [text(), { bytes: await picture(300, 200), name: 'race.png' }]) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => upload(app, file)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
      assert.equal(new Set(replies.map(({ body }) => body.media.id)).size, 1)
      const { sha256 } = replies[0]?.body.media ?? {}
      let blobs = 0
      for await (const { key } of (await testBlobs()).list()) if (key === sha256) blobs++
      assert.equal(blobs, 1)
      const list = await app.call({ url: `/admin/cms/media?q=${replies[0]?.body.media.filename}`, headers: admin() })
      assert.equal(list.body.pagination.total, 1)
    }
  })

  test('are refused where the fields are wrong, and store nothing', async () => {
    const file = text()
    for (const fields of [
      { focalX: '101' },
      { focalX: 'a' },
      { folder: '../up' },
      { alt: 'x'.repeat(501) },
      { colour: 'red' },
    ]) {
      const reply = await upload(app, file, fields as Record<string, string>)
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'], JSON.stringify(fields))
    }
    assert.equal((await upload(app, file)).status, 201)
  })

  test('are audited', async () => {
    const media = await stored()
    const { body } = await app.call({ url: `/admin/audit-logs?targetId=${media.id}`, headers: admin() })
    assert.deepEqual(
      body.auditLogs.map(({ action }: { action: string }) => action),
      ['media.upload'],
    )
  })
})

describe('the list of files', () => {
  test('is newest first, and finds by text, kind, folder and use', async () => {
    const folder = unique('list')
    const [a, b] = [await stored('alpha-one.png', { folder, tags: 'Blue_Sky' }), await stored('beta.png', { folder })]
    app.clock.advance({ seconds: 1 })
    const doc = (await upload(app, { ...text(), name: 'gamma.md' }, { folder, alt: '100% sure' })).body.media
    const ids = async (query: string) => {
      const reply = await app.call({ url: `/admin/cms/media?folder=${folder}&${query}`, headers: admin() })
      assert.equal(reply.status, 200)
      return reply.body.media.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await ids(''), [doc.id, b.id, a.id])
    assert.deepEqual(await ids('q=ALPHA'), [a.id])
    assert.deepEqual(await ids('q=blue_sky'), [a.id])
    assert.deepEqual(await ids('q=b_ue'), [])
    assert.deepEqual(await ids('q=100%25'), [doc.id])
    assert.deepEqual(await ids('kind=document'), [doc.id])
    assert.deepEqual(await ids('limit=1&page=2'), [b.id])
    await transaction(app.platform, (tx) => library.setUses(tx, user(), [b.id]))
    assert.deepEqual(await ids('unused=true'), [doc.id, a.id])
    assert.deepEqual(await ids('unused=false'), [b.id])
  })
})

const user = (label = 'vault-vpn'): MediaUser => ({ kind: 'product', id: newId(new Date()), label })

describe('a file in use', () => {
  test('is known by those who show it, and cannot be removed until none does', async () => {
    const media = await stored()
    const [product, page] = [user(), { ...user('about'), kind: 'page' as const }]
    await transaction(app.platform, async (tx) => {
      await library.setUses(tx, product, [media.id, media.id])
      await library.setUses(tx, page, [media.id])
    })
    assert.deepEqual((await one(media.id)).body.media.usedBy, [page, product])
    const url = `/admin/cms/media/${media.id}`
    const refused = await app.call({ method: 'DELETE', url, headers: admin() })
    assert.deepEqual([refused.status, refused.body.code], [409, 'STATE_CONFLICT'])
    assert.match(refused.body.detail, /page about, product vault-vpn/)
    assert.equal((await app.call({ url: media.url })).status, 200)
    await transaction(app.platform, async (tx) => {
      await library.setUses(tx, product, [])
      await library.setUses(tx, page, [])
    })
    assert.equal((await app.call({ method: 'DELETE', url, headers: admin() })).status, 204)
  })

  test('has to be there: an unknown one is named', async () => {
    const media = await stored()
    for (const absent of [newId(new Date()), 'no id'])
      await assert.rejects(
        transaction(app.platform, (tx) => library.setUses(tx, user(), [media.id, absent])),
        (error: Error) => error.message.includes(absent),
      )
    assert.deepEqual((await one(media.id)).body.media.usedBy, [])
  })

  test('is found as others show it', async () => {
    const media = await stored()
    const found = await library.find(app.platform, [media.id, newId(new Date()), 'no id'])
    assert.deepEqual([...found.keys()], [media.id])
    const { url, variants, alt, kind } = found.get(media.id) ?? {}
    assert.deepEqual([url, variants, alt, kind], [media.url, media.variants, null, 'image'])
    assert.equal((await library.find(app.platform, [])).size, 0)
  })

  test('and removed in the same moment is either in use or gone, never both', async () => {
    for (let i = 0; i < 8; i++) {
      const media = (await upload(app, text())).body.media
      const [used, removed] = await Promise.allSettled([
        transaction(app.platform, (tx) => library.setUses(tx, user(), [media.id])),
        app.call({ method: 'DELETE', url: `/admin/cms/media/${media.id}`, headers: admin() }),
      ])
      const status = removed.status === 'fulfilled' ? removed.value.status : 0
      assert.deepEqual(
        [used.status, status, (await one(media.id)).status],
        status === 204 ? ['rejected', 204, 404] : ['fulfilled', 409, 200],
      )
    }
  })
})

describe('a change of a file', () => {
  test('changes what it names, counts the revision and throws prepared answers away', async () => {
    const media = await stored(undefined, { alt: 'before', tags: 'a' })
    const url = `/admin/cms/media/${media.id}`
    const etag = (await one(media.id)).headers['etag']
    assert.equal(etag, `"${media.id}-1"`)
    app.clock.advance({ seconds: 5 })
    const body = { alt: null, title: 'T', tags: ['b', 'c'], folder: 'x/y' }
    const reply = await app.call({ method: 'PATCH', url, headers: { ...admin(), 'if-match': etag ?? '' }, body })
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body.media, { ...media, ...body, revision: 2, updatedAt: app.clock.now().toISOString() })
    assert.equal(reply.headers['etag'], `"${media.id}-2"`)
    const late = await app.call({ method: 'PATCH', url, headers: { ...admin(), 'if-match': etag ?? '' }, body })
    assert.deepEqual([late.status, late.body.code], [412, 'PRECONDITION_FAILED'])
    const lateRemoval = await app.call({ method: 'DELETE', url, headers: { ...admin(), 'if-match': etag ?? '' } })
    assert.equal(lateRemoval.status, 412)
  })

  test('of the focal point cuts the preview anew: its new address works, its old one does not', async () => {
    const left = await sharp({ create: { width: 1200, height: 100, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const bytes = await sharp({ create: { width: 4000, height: 1000, channels: 3, background: 'blue' } })
      .composite([{ input: left, left: 0, top: Number(randomBytes(1)[0]) }])
      .png()
      .toBuffer()
    const { media } = (await upload(app, { bytes, name: 'wide.png' })).body
    const url = `/admin/cms/media/${media.id}`
    const reply = await app.call({ method: 'PATCH', url, headers: admin(), body: { focalX: 0 } })
    const og = reply.body.media.variants.og.url
    assert.notEqual(og, media.variants.og.url)
    assert.equal((await app.call({ url: og })).status, 200)
    assert.equal((await app.call({ url: media.variants.og.url })).status, 404)
    const old = /^\/media\/([0-9a-f]{32})/.exec(media.variants.og.url)?.[1] ?? 'none'
    for await (const { key } of (await testBlobs()).list())
      assert.ok(!key.startsWith(old), 'the old picture is removed')
  })

  test('of the focal point of an image whose bytes are damaged keeps the preview that there is', async () => {
    const media = await stored()
    const blobs = await testBlobs()
    const junk = await blobs.drafts.write(
      (async function* () {
        yield Buffer.from('no image any more')
      })(),
    )
    await blobs.remove(media.sha256)
    await blobs.put({ ...junk, sha256: media.sha256 }, { contentType: 'image/png' })
    await blobs.drafts.remove(junk)
    const url = `/admin/cms/media/${media.id}`
    const reply = await app.call({ method: 'PATCH', url, headers: admin(), body: { focalX: 0, alt: 'A hill' } })
    assert.deepEqual([reply.status, reply.body.media.focalX, reply.body.media.alt], [200, 0, 'A hill'])
    assert.deepEqual(reply.body.media.variants.og, media.variants.og)
    assert.equal((await app.call({ url: media.variants.og.url })).status, 200)
    assert.equal((await app.call({ method: 'DELETE', url, headers: admin() })).status, 204)
  })

  test('and a removal leave nothing behind', async () => {
    const media = await stored()
    assert.equal(
      (await app.call({ method: 'DELETE', url: `/admin/cms/media/${media.id}`, headers: admin() })).status,
      204,
    )
    assert.equal((await one(media.id)).status, 404)
    for (const { url } of [media, ...Object.values<{ url: string }>(media.variants)])
      assert.equal((await app.call({ url })).status, 404)
    assert.equal(await (await testBlobs()).stat(media.sha256), null)
    assert.equal(
      (await app.call({ method: 'DELETE', url: `/admin/cms/media/${media.id}`, headers: admin() })).status,
      404,
    )
  })

  test('leaves a blob that another file shares', async () => {
    // Two pictures of one colour come out of the scaling alike.
    const flat = (format: 'png' | 'webp') => {
      const [r = 0, g = 0, b = 0] = shade
      const image = sharp({ create: { width: 90, height: 90, channels: 3, background: { r, g, b } } })
      return (format === 'png' ? image.png() : image.webp({ lossless: true })).toBuffer()
    }
    const shade = randomBytes(3)
    const a = (await upload(app, { bytes: await flat('png'), name: 'flat.png' })).body.media
    const b = (await upload(app, { bytes: await flat('webp'), name: 'flat.webp' })).body.media
    assert.notEqual(a.id, b.id)
    assert.equal(a.variants.thumb.url, b.variants.thumb.url)
    await app.call({ method: 'DELETE', url: `/admin/cms/media/${a.id}`, headers: admin() })
    assert.equal((await app.call({ url: b.variants.thumb.url })).status, 200)
  })
})
