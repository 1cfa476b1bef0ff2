import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { contentDisposition, displayName, fileExtension, safeFileName } from './file-name.rules.ts'

describe('the name of a file', () => {
  test('is what was sent, made harmless, with the ending of what it is', () => {
    const cases: [sent: string, ending: string, name: string][] = [
      ['photo.JPEG', 'jpg', 'photo.jpg'],
      ['../../etc/passwd', 'txt', 'passwd.txt'],
      ['C:\\fakepath\\a.png', 'png', 'a.png'],
      ['.htaccess', 'txt', 'file.txt'],
      ['...', 'png', 'file.png'],
      ['', 'png', 'file.png'],
      ['con.png', 'png', '_con.png'],
      ['LPT1', 'txt', '_LPT1.txt'],
      ['nul.tar.gz', 'gz', '_nul.tar.gz'],
      ['a\u202egnp.exe', 'exe', 'agnp.exe'],
      ['a\r\nSet-Cookie: x.txt', 'txt', 'aSet-Cookie-x.txt'],
      ['a\0.png', 'png', 'a.png'],
      ['Büro 2026 (final).png', 'png', 'Büro-2026-final.png'],
      ['release notes v1.2', 'txt', 'release-notes-v1.2.txt'],
      ['app.AppImage', 'AppImage', 'app.AppImage'],
      ['page.html.png', 'png', 'page.html.png'],
      ['"><script>.svg', 'svg', 'script.svg'],
      ['a%2e%2e%2fb.png', 'png', 'a-2e-2e-2fb.png'],
      ['e\u0301.png', 'png', 'é.png'],
    ]
    for (const [sent, ending, name] of cases) assert.equal(safeFileName(sent, ending), name, JSON.stringify(sent))
  })

  test('is safe in a path, an address and a header, whatever was sent', () => {
    const part = fc.constantFrom(
      '..',
      '/',
      '\\',
      '\0',
      '\u202e',
      'con',
      '.',
      ' ',
      '😀',
      'é',
      '"',
      '%',
      '\ud800',
      'a'.repeat(90),
    )
    const sent = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(sent, fc.constantFrom('png', 'tar.gz', 'AppImage'), (text, ending) => {
        const name = safeFileName(text, ending)
        assert.ok(Buffer.byteLength(name) <= 200, name)
        assert.ok(name.isWellFormed())
        assert.ok(name.endsWith(`.${ending}`))
        assert.doesNotMatch(name, /[/\\\p{Cc}\p{Cf}\s"'<>:|?*%#&]/u)
        assert.doesNotMatch(name, /^[.-]/)
        assert.doesNotMatch(name, /^(?:con|prn|aux|nul|com\d|lpt\d)\./i)
        assert.equal(decodeURIComponent(encodeURIComponent(name)), name)
        assert.match(
          contentDisposition('attachment', name),
          /^attachment; filename="[\x20-\x7e]+"(?:; filename\*=UTF-8''[\w%.!~-]+)?$/,
        )
      }),
      { numRuns: 500 },
    )
  })

  test('is shown as it was, but for what cannot be seen', () => {
    assert.equal(displayName('C:\\a\\Büro (1).PNG'), 'Büro (1).PNG')
    assert.equal(displayName('a\u202eb\0.png'), 'ab.png')
    assert.equal(displayName('/'), 'file')
  })

  test('has an ending only where one stands there', () => {
    for (const [name, ending] of [
      ['a.PNG', 'png'],
      ['a.tar.gz', 'gz'],
      ['notes v1.2', ''],
      ['.gitignore', 'gitignore'],
      ['a', ''],
      ['a.b/c', ''],
      ['x.jpeg.html', 'html'],
    ])
      assert.equal(fileExtension(name as string), ending, name)
  })

  test('stands in Content-Disposition for old clients and new ones', () => {
    assert.equal(contentDisposition('inline', 'a.png'), 'inline; filename="a.png"')
    assert.equal(
      contentDisposition('attachment', "ü'(.txt"),
      `attachment; filename="_'(.txt"; filename*=UTF-8''%C3%BC%27%28.txt`,
    )
  })
})
