import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { type TestApp, testApp, testBlobs } from '../../../test/harness/app.ts'
import { picture, upload } from '../../../test/harness/media.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'
import type { Upload } from '../../http/uploads/upload.ts'
import { newId } from '../../kernel/ids.ts'
import { claimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import { cropAround, readImageHeader } from './image-header.rules.ts'
import { BadImage, imageTools, ogSize, pixelsMax } from './images.ts'
import type { MediaFields } from './media.schema.ts'
import { uploadService } from './upload.service.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A PNG that says it has so many pixels. The data of the large ones is a few kilobytes: it is all zeros. */
function png(width: number, height: number, data?: Buffer): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), content])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(content.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8) // eight bits of grey
  const text = chunk('tEXt', Buffer.from(`Comment\0${randomBytes(8).toString('hex')}`))
  const magic = Buffer.from('89504e470d0a1a0a', 'hex')
  const pixels = data ?? deflateSync(Buffer.alloc((width + 1) * height))
  return Buffer.concat([magic, chunk('IHDR', header), text, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A GIF of one frame in a screen that says it has so many pixels. */
function gif(width: number, height: number): Buffer {
  const screen = Buffer.from(
    'GIF89a\0\0\0\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;',
    'latin1',
  )
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  return screen
}

describe('an image bomb', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
    await upload(app, { bytes: await picture(10, 10), name: 'warm.png' })
  })

  test('is refused by its header, and its pixels are never in memory', async () => {
    const zeros = deflateSync(Buffer.alloc(30_000_000)) // 30 kB, the start of 900 MB
    const bombs: [name: string, bytes: Buffer][] = [
      ['a.png', png(30_000, 30_000, zeros)],
      ['a.png', png(2_000_000_000, 2_000_000_000, zeros)],
      ['a.png', png(6400, 6251, zeros)],
      ['a.gif', gif(65_535, 65_535)],
    ]
    const beforeBytes = process.memoryUsage.rss()
    let peakBytes = 0
    const watch = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
    }, 1)
    for (const [name, bytes] of bombs) {
      const reply = await upload(app, { bytes, name })
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'], name)
      assert.match(reply.body.detail, /pixels/)
    }
    clearInterval(watch)
    const grownMiB = (peakBytes - beforeBytes) / 1024 / 1024
    assert.ok(grownMiB < 100, `${grownMiB} MiB more for bombs of 900 MB and more`)
  })

  test('that lies about its data is refused, too', async () => {
    const tooLittle = png(4000, 4000, deflateSync(Buffer.alloc(1000)))
    for (const bytes of [
      tooLittle,
      png(100, 100, Buffer.from('no zlib at all')),
      png(100, 100).subarray(0, 60),
      gif(0, 0),
    ]) {
      const reply = await upload(app, { bytes, name: bytes[0] === 0x89 ? 'a.png' : 'a.gif' })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.code], [400, 'image'], JSON.stringify(reply.body))
    }
  })

  test('of very many frames is an image of one', async () => {
    const frame = Buffer.from(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1')
    const start = gif(8000, 5000)
    const bytes = Buffer.concat([
      start.subarray(0, -1),
      ...Array.from({ length: 20_000 }, () => frame),
      Buffer.from(';'),
    ])
    const reply = await upload(app, { bytes, name: 'frames.gif' })
    assert.ok([201, 400].includes(reply.status), JSON.stringify(reply.body))
  })
})

describe('the header of an image', () => {
  test('says the size that its decoder says', async () => {
    for (const format of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const) {
      const bytes = await picture(123, 45, format)
      const { width, height } = readImageHeader(`image/${format}`, bytes) ?? {}
      assert.deepEqual([width, height], [123, 45], format)
    }
    const image = sharp({ create: { width: 70, height: 30, channels: 4, background: '#ff000080' } })
    for (const bytes of [
      await image.clone().webp({ lossless: true }).toBuffer(),
      await image.clone().webp().toBuffer(),
    ]) {
      const header = readImageHeader('image/webp', bytes)
      assert.deepEqual(header, { width: 70, height: 30, hasAlpha: true })
    }
    assert.equal(readImageHeader('image/png', await image.png().toBuffer())?.hasAlpha, true)
    const withProfile = await sharp(await picture(50, 60, 'jpeg'))
      .withExif({ IFD0: { ImageDescription: 'x'.repeat(60_000) } })
      .jpeg({ progressive: true })
      .toBuffer()
    assert.deepEqual(readImageHeader('image/jpeg', withProfile), { width: 50, height: 60, hasAlpha: false })
  })

  test('of any bytes is read or is none, and never an error', () => {
    const types = fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/x')
    fc.assert(
      fc.property(types, fc.uint8Array({ maxLength: 80 }), (type, bytes) => {
        const header = readImageHeader(type, Buffer.concat([Buffer.from([0xff, 0xd8]), bytes]))
        assert.ok(header === null || (header.width > 0 && header.height > 0))
      }),
    )
  })
})

describe('the cut for link previews', () => {
  test('lies within the image, has its proportions and holds the focal point', () => {
    const side = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(side, side, fc.nat(100), fc.nat(100), (width, height, x, y) => {
        const crop = cropAround({ width, height }, { x, y }, ogSize)
        assert.ok(crop.left >= 0 && crop.top >= 0 && crop.width >= 1 && crop.height >= 1)
        assert.ok(crop.left + crop.width <= width && crop.top + crop.height <= height)
        assert.ok(crop.width === width || crop.height === height || Math.min(width, height) < 4)
        const [atX, atY] = [(width * x) / 100, (height * y) / 100]
        assert.ok(atX >= crop.left - 1 && atX <= crop.left + crop.width + 1)
        assert.ok(atY >= crop.top - 1 && atY <= crop.top + crop.height + 1)
      }),
    )
  })

  test('shows what stands at the focal point', async () => {
    const folder = await temporaryFolder()
    const red = await sharp({ create: { width: 500, height: 1000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const path = join(folder, 'wide.png')
    await sharp({ create: { width: 6000, height: 1000, channels: 3, background: 'blue' } })
      .composite([{ input: red, left: 5500, top: 0 }])
      .png()
      .toFile(path)
    const tools = imageTools()
    const redOf = async (x: number) => {
      const made = await tools.og(path, { x, y: 50 })
      const { channels } = await sharp(made?.bytes).stats()
      return channels[0]?.mean ?? 0
    }
    assert.ok((await redOf(100)) > 50)
    assert.ok((await redOf(0)) < 5)
  })
})

describe('scaling', () => {
  test('makes a very long strip no longer than a WebP can be', async () => {
    const path = join(await temporaryFolder(), 'strip.png')
    await writeFile(path, png(400, 90_000))
    const work = await imageTools().work(path, { x: 50, y: 50 })
    for (const { variant, height } of work?.variants ?? []) assert.ok(height <= 16_383, variant)
    assert.deepEqual([work?.width, work?.height], [400, 90_000])
  })

  test('refuses what is no image, and more than its line can hold', async () => {
    const tools = imageTools()
    const path = join(await temporaryFolder(), 'none.png')
    await writeFile(path, 'no image')
    await assert.rejects(tools.work(path, { x: 50, y: 50 }), BadImage)
    const many = await Promise.allSettled(Array.from({ length: 40 }, () => tools.work(path, { x: 50, y: 50 })))
    const codes = many.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason.code ?? 'bad') : ''))
    assert.equal(codes.filter((code) => code === 'UNAVAILABLE').length, 19)
    assert.equal(pixelsMax, 40_000_000)
  })
})

describe('an installation without the image library', () => {
  test('keeps originals with the size of their header, and refuses bombs all the same', async () => {
    const { platform, clock } = await testApp()
    const blobs = await testBlobs()
    const absent = imageTools(() => Promise.reject(new Error('Cannot find package sharp')))
    const blobStore = claimedBlobs({ blobs, log: silent })
    const service = uploadService({
      clock,
      audit: async () => undefined,
      blobs,
      claimedBlobs: blobStore,
      images: absent,
    })
    const sent = (bytes: Buffer, filename: string): Upload<MediaFields> => ({
      receive: async (take) => ({
        fields: {},
        files: [await take({ filename, contentType: 'image/png', bytes: Readable.from([bytes]) })],
      }),
    })
    const bytes = await picture(77, 33)
    const [stored] = await service.upload(platform, sent(bytes, `${newId(clock.now())}.png`))
    const { width, height, placeholder, files } = stored?.media ?? {}
    assert.deepEqual([width, height, placeholder, files?.length], [77, 33, null, 1])
    const blob = await blobs.open(stored?.media.sha256 ?? '')
    assert.ok(blob && Buffer.concat(await blob.toArray()).equals(bytes))
    await assert.rejects(service.upload(platform, sent(png(30_000, 30_000, Buffer.from('x')), 'a.png')), /pixels/)
  })
})
