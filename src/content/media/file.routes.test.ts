import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { picture, upload } from '../../../test/harness/media.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const text = () => ({ bytes: `note ${randomBytes(20).toString('hex')}`, name: `${unique('note')}.txt` })

async function stored(name = `${unique('photo')}.png`) {
  const reply = await upload(app, { bytes: await picture(320, 200), name })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.media
}

describe('the bytes of a file', () => {
  test('may be kept for good, are never sniffed, and are shown on any page', async () => {
    const media = await stored()
    const { headers } = await app.call({ url: media.url })
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['etag'], `"${media.sha256}"`)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['content-disposition'], `inline; filename="${media.filename}"`)
    const known = await app.call({ url: media.url, headers: { 'if-none-match': `"${media.sha256}"` } })
    assert.deepEqual([known.status, known.bytes.length], [304, 0])
    const part = await app.call({ url: media.url, headers: { range: 'bytes=-100' } })
    assert.deepEqual([part.status, part.bytes.length], [206, 100])
    const none = await app.call({ url: media.url, headers: { range: 'bytes=999999999-' } })
    assert.equal(none.status, 416)
  })

  test('are saved, not shown, where they are no image, video, audio or PDF', async () => {
    const page = (await upload(app, text())).body.media
    const { headers } = await app.call({ url: page.url })
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(headers['content-disposition'], `attachment; filename="${page.filename}"`)
    const pdf = (await upload(app, { bytes: `%PDF-1.7\n${unique('pdf')}`, name: 'a.pdf' })).body.media
    assert.match((await app.call({ url: pdf.url })).headers['content-disposition'] ?? '', /^inline;/)
  })

  test('are at one address alone', async () => {
    const { url, sha256, filename } = await stored('where.png')
    const hash = sha256.slice(0, 32)
    for (const wrong of [
      `/media/${hash}/other.png`,
      `/media/${hash.slice(0, 31)}/${filename}`,
      `/media/${sha256}/${filename}`,
      `/media/${hash.toUpperCase()}/${filename}`,
      `/media/${'0'.repeat(32)}/${filename}`,
      `/media/..%2f..%2fadmin-key/${filename}`,
      `/media/${hash}/..%2f${filename}`,
      `/media/${hash}/%00`,
    ])
      if (wrong !== url) assert.equal((await app.call({ url: wrong })).status, 404, wrong)
  })

  test('have a name in any script and of any length', async () => {
    for (const name of [`${'ä'.repeat(150)}.txt`, `${'絵'.repeat(100)}.txt`, 'a'.repeat(400)]) {
      const reply = await upload(app, { ...text(), name })
      assert.equal(reply.status, 201)
      assert.ok(Buffer.byteLength(reply.body.media.filename) <= 200)
      const file = await app.call({ url: reply.body.media.url })
      assert.equal(file.status, 200)
      assert.match(file.headers['content-disposition'] ?? '', /^attachment; filename="[\x20-\x7e]+"/)
    }
  })
})
