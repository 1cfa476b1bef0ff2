import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { picture, upload } from '../../../test/harness/media.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

/** Bytes that begin like this and that no other test has. */
const like = (start: string, length = 9000) => Buffer.concat([Buffer.from(start, 'latin1'), randomBytes(length)])
const ftyp = (brand: string) => like(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom`)
const webm = Buffer.concat([
  Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
  randomBytes(500),
])
const wav = () => like('RIFF\x24\0\0\0WAVEfmt ')
const note = () => `note ${randomBytes(8).toString('hex')}\n`
const html = '<!doctype html><script>alert(1)</script>'

describe('what is taken', () => {
  test('is told by its bytes, and served as what it is or to be saved', async () => {
    const cases: [name: string, bytes: Buffer | string, mimeType: string, kind: string, filename: string][] = [
      ['a.mp4', ftyp('isom'), 'video/mp4', 'video', 'a.mp4'],
      ['a.webm', webm, 'video/webm', 'video', 'a.webm'],
      ['a.mp3', like('ID3\x04\0\0\0\0\x7f\x7f'), 'audio/mpeg', 'audio', 'a.mp3'],
      ['a.wav', wav(), 'audio/wav', 'audio', 'a.wav'],
      ['a.pdf', like('%PDF-1.7\n'), 'application/pdf', 'document', 'a.pdf'],
      ['a.txt', note(), 'text/plain', 'document', 'a.txt'],
      ['README', note(), 'text/plain', 'document', 'README.txt'],
      ['a.markdown', `# ${note()}`, 'text/markdown', 'document', 'a.md'],
      ['a.csv', `a,b\n${note()}`, 'text/csv', 'document', 'a.csv'],
      ['a.json', `{"a":"${note().trim()}"}`, 'application/json', 'document', 'a.json'],
      ['a.zip', like('PK\x03\x04'), 'application/zip', 'archive', 'a.zip'],
      ['a.tar.gz', gzipSync(randomBytes(100)), 'application/gzip', 'archive', 'a.tar.gz'],
      ['a.exe', like('MZ\x90\0'), 'application/octet-stream', 'binary', 'a.exe'],
      ['a.msi', like('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/octet-stream', 'binary', 'a.msi'],
      ['a.dmg', like('\x78\x01\x73\x0d'), 'application/octet-stream', 'binary', 'a.dmg'],
      ['a.pkg', like('xar!\0\x1c\0\x01'), 'application/octet-stream', 'binary', 'a.pkg'],
      ['a.deb', like('!<arch>\ndebian-binary   '), 'application/octet-stream', 'binary', 'a.deb'],
      ['a.rpm', like('\xed\xab\xee\xdb\x03\0'), 'application/octet-stream', 'binary', 'a.rpm'],
      ['a.AppImage', like('\x7fELF\x02\x01\x01\0AI\x02'), 'application/octet-stream', 'binary', 'a.AppImage'],
      ['a.apk', like('PK\x03\x04'), 'application/octet-stream', 'binary', 'a.apk'],
    ]
    for (const [name, bytes, mimeType, kind, filename] of cases) {
      const reply = await upload(app, { bytes, name })
      assert.equal(reply.status, 201, `${name}: ${JSON.stringify(reply.body)}`)
      const { media } = reply.body
      assert.deepEqual([media.mimeType, media.kind, media.filename], [mimeType, kind, filename], name)
      assert.deepEqual([media.width, media.variants], [null, {}])
      const { headers, bytes: served } = await app.call({ url: media.url })
      assert.ok(served.equals(Buffer.from(bytes as string)), name)
      assert.equal(headers['content-type']?.split(';')[0], mimeType)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      const isShown = ['image', 'video', 'audio'].includes(kind) || mimeType === 'application/pdf'
      assert.match(headers['content-disposition'] ?? '', isShown ? /^inline/ : /^attachment/, name)
    }
  })

  test('is refused where its name or its sent type says another kind, or where it is nothing that is taken', async () => {
    const png = await picture(20, 20)
    const cases: [name: string, bytes: Buffer | string, type?: string][] = [
      ['a.pdf', png],
      ['a.exe', png],
      ['a.png.html', png],
      ['a.docx', like('PK\x03\x04')],
      ['a.jar', like('PK\x03\x04')],
      ['a.png', like('PK\x03\x04')],
      ['a.png', like('MZ\x90\0')],
      ['a.png', like('%PDF-1.7')],
      ['a.png', html],
      ['a.txt', html],
      ['a', html],
      ['a.html', html],
      ['a.html', note()],
      ['a.js', 'alert(1)'],
      ['a.txt', '#!/bin/sh\nrm -rf /'],
      ['a.txt', '<?php system($_GET[0]);'],
      ['a.php', note()],
      ['a.sh', note()],
      ['elf', like('\x7fELF\x02\x01\x01\0\0\0\0')],
      ['a.AppImage', like('\x7fELF\x02\x01\x01\0\0\0\0')],
      ['a.bin', like('\x01\x02\x03\x04')],
      ['a.txt', like('hello\0world')],
      ['a.heic', ftyp('heic')],
      ['a.png', png, 'text/html'],
      ['a.png', png, 'video/mp4'],
      ['a.png', png, 'application/pdf'],
      ['a.txt', note(), 'text/html'],
      ['a.txt', note(), 'application/javascript'],
      ['a.txt', note(), 'image/png'],
      ['a.xml', '<?xml version="1.0"?><a/>'],
      ['a.swf', like('FWS\x06')],
      ['a.txt', Buffer.from('<script>alert(1)</script>', 'utf16le')],
    ]
    for (const [name, bytes, type = ''] of cases) {
      const reply = await upload(app, { bytes, name, type })
      assert.deepEqual(
        [reply.status, reply.body.code],
        [415, 'UNSUPPORTED_MEDIA_TYPE'],
        `${name} ${type} ${String(bytes).slice(0, 20)}`,
      )
    }
  })

  test('may come with a type that says nothing, or that another system gives its kind', async () => {
    const cases: [name: string, bytes: Buffer | string, type: string][] = [
      ['a.csv', `a\n${note()}`, 'application/vnd.ms-excel'],
      ['a.deb', like('!<arch>\ndebian-binary   '), 'application/vnd.debian.binary-package'],
      ['a.png', await picture(20, 20), 'application/octet-stream'],
      ['a.png', await picture(20, 20), 'image/jpeg'],
      ['a.m4a', ftyp('M4A '), 'video/mp4'],
      ['a.zip', like('PK\x03\x04'), 'application/x-zip-compressed'],
    ]
    for (const [name, bytes, type] of cases) {
      const reply = await upload(app, { bytes, name, type })
      assert.equal(reply.status, 201, `${name} ${type}: ${JSON.stringify(reply.body)}`)
    }
  })

  test('is not empty', async () => {
    assert.equal((await upload(app, { bytes: '', name: 'a.txt' })).status, 400)
  })

  test('of two kinds at once is served as the one that it begins as, and never as the other', async () => {
    const image = await picture(30, 30, 'gif')
    const gifAndScript = Buffer.concat([image, Buffer.from('*/=1;alert(1);<script>alert(1)</script>')])
    const pdfAndZip = Buffer.concat([like('%PDF-1.7\n', 50), Buffer.from('PK\x03\x04', 'latin1'), randomBytes(50)])
    for (const [bytes, name, type] of [
      [gifAndScript, 'a.gif', 'image/gif'],
      [pdfAndZip, 'a.pdf', 'application/pdf'],
    ] as const) {
      const reply = await upload(app, { bytes, name })
      if (reply.status === 400) continue // no image that can be read
      const { headers } = await app.call({ url: reply.body.media.url })
      assert.equal(headers['content-type'], type)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    }
    const scriptThatIsGif = `GIF89a/*${note()}*/=1;alert(1)`
    assert.equal((await upload(app, { bytes: scriptThatIsGif, name: 'a.gif' })).status, 400)
    const junkBeforePdf = Buffer.concat([Buffer.from('<html>'), like('%PDF-1.7')])
    assert.equal((await upload(app, { bytes: junkBeforePdf, name: 'a.pdf' })).status, 415)
  })
})

describe('an SVG', () => {
  const drawing = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20"><desc>${note().trim()}</desc>${inside}</svg>`

  test('is kept and served cleaned, in a sandbox', async () => {
    const reply = await upload(app, {
      bytes: drawing('<script>alert(1)</script><path d="M0 0"/>'),
      name: 'a.svg',
      type: 'image/svg+xml',
    })
    assert.equal(reply.status, 201)
    const { media } = reply.body
    assert.deepEqual([media.mimeType, media.kind, media.width, media.height], ['image/svg+xml', 'image', 10, 20])
    const { headers, bytes } = await app.call({ url: media.url })
    assert.doesNotMatch(bytes.toString(), /script/)
    assert.match(bytes.toString(), /<path d="M0 0">/)
    assert.equal(headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    assert.equal(headers['content-type'], 'image/svg+xml')
    const cleaned = await upload(app, { bytes, name: 'again.svg' })
    assert.deepEqual([cleaned.status, cleaned.body.media.id], [200, media.id], 'what is clean already is the same file')
  })

  test('that is none, or has entities, or another charset, is refused', async () => {
    for (const bytes of [
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing('<text>&x;</text>')}`,
      '<svg>broken',
      note(),
    ]) {
      const reply = await upload(app, { bytes, name: 'a.svg' })
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'])
    }
    const utf16 = Buffer.from(`\ufeff${drawing('')}`, 'utf16le')
    assert.equal((await upload(app, { bytes: utf16, name: 'a.svg' })).status, 415)
  })

  test('has at most 2 MiB', async () => {
    const reply = await upload(app, { bytes: drawing(`<desc>${'x'.repeat(2 * 1024 * 1024)}</desc>`), name: 'a.svg' })
    assert.equal(reply.status, 413)
  })
})
