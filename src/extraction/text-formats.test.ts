import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentReadings } from '../../test/harness/document-readings.ts'

const { read, shown } = documentReadings()

describe('plain text', () => {
  test('is paragraphs, whose lines stay as they are', async () => {
    assert.deepEqual(await shown('text', '\ufeffOne\r\n  two  \r\n\r\n \nthree\n'), ['One\n  two', 'three'])
  })

  test('counts characters as code points', async () => {
    const result = await read('text', 'a😀\n\nb')
    assert.ok('extraction' in result)
    assert.deepEqual([result.extraction.characters, result.extraction.pages], [3, null])
  })

  test('has no character that a store cannot keep', async () => {
    assert.deepEqual(await shown('text', 'a\0b\u0007c so\u00adft'), ['a\ufffdb c soft'])
    assert.deepEqual(await shown('html', '<p>a&#0;b&#xD800;c</p>'), ['a\ufffdb\ufffdc'])
  })

  test('of white space alone is NO_TEXT, and what is not UTF-8 is BROKEN', async () => {
    for (const type of ['text', 'markdown', 'html', 'csv'] as const) {
      assert.equal(await shown(type, ' \n\t\r\n'), 'NO_TEXT', type)
      assert.equal(await shown(type, new Uint8Array([0x61, 0xe9, 0x62])), 'BROKEN', type)
    }
    assert.equal(await shown('text', ''), 'NO_TEXT')
  })

  test('of more than 5 million characters is TOO_LONG', async () => {
    assert.equal(await shown('text', 'a'.repeat(5_000_001)), 'TOO_LONG')
    assert.equal((await shown('text', 'a'.repeat(5_000_000))).length, 1)
    assert.equal(await shown('text', 'a\n\n'.repeat(250_001)), 'TOO_LONG')
  })
})

describe('CSV', () => {
  test('says in each row what its values are', async () => {
    const csv = 'Name,City,Note\r\n"Ada ""A"" L","London, UK",\r\n\r\nBob,,"two\nlines"\r\n'
    assert.deepEqual(await shown('csv', csv), ['| Name: Ada "A" L; City: London, UK', '| Name: Bob; Note: two lines'])
  })

  test('is read with the delimiter of its first line, or with the one that it names', async () => {
    assert.deepEqual(await shown('csv', 'a;b\n1,5;2'), ['| a: 1,5; b: 2'])
    assert.deepEqual(await shown('csv', 'a\tb\n1\t2'), ['| a: 1; b: 2'])
    assert.deepEqual(await shown('csv', 'sep=;\na;b\n1;2'), ['| a: 1; b: 2'])
  })

  test('of one row, with missing headers or an open quote loses nothing', async () => {
    assert.deepEqual(await shown('csv', 'a,b'), ['| a; b'])
    assert.deepEqual(await shown('csv', 'a\n1,2'), ['| a: 1; 2'])
    assert.deepEqual(await shown('csv', 'a\n"1,2\n3'), ['| a: 1,2 3'])
    assert.deepEqual(await shown('csv', 'a\n"1"2'), ['| a: 12'])
  })
})

describe('captions', () => {
  test('of WebVTT are paragraphs of what one speaker says in a row', async () => {
    const vtt = `WEBVTT - a title

NOTE of the editor
two lines

1
00:01.000 --> 00:04.000 align:start
<v.loud Ada>We <i>begin</i> &amp; then

00:00:05.000 --> 00:00:06.000
<v Ada>we end.

00:00:07.000 --> 00:00:08.000
<v Bob>Yes.<v Ada>No.
`
    assert.deepEqual(await shown('vtt', vtt), ['Ada: We begin & then we end.', 'Bob: Yes.', 'Ada: No.'])
  })

  test('of SubRip keep an empty line in a caption and lose only numbers and styles', async () => {
    const srt =
      '1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}<b>Hello</b>\r\n\r\nthere 2 < 3\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nfriend\r\n'
    assert.deepEqual(await shown('srt', srt), ['Hello there 2 < 3 friend'])
  })

  test('end a paragraph with a sentence when it is long enough', async () => {
    const cue = (n: number) => `${n}\n00:00:01,000 --> 00:00:02,000\n${'word '.repeat(30)}end.\n`
    const blocks = await shown('srt', [1, 2, 3, 4].map(cue).join('\n'))
    assert.equal(blocks.length, 2)
  })

  test('without any times are BROKEN', async () => {
    assert.equal(await shown('srt', 'Hello'), 'BROKEN')
    assert.equal(await shown('vtt', 'WEBVTT\n\nHello'), 'BROKEN')
  })
})

describe('Markdown', () => {
  test('is headings, paragraphs, list items, table rows and code', async () => {
    const markdown = `---
title: T
---
# One *two*

three [four](/x "y")
five ![six](/s.png)

- seven
  - eight
1. nine

| a | b |
|---|---|
| 1 | 2 |

> ten

\`\`\`js
a < b

c
\`\`\`
`
    assert.deepEqual(await shown('markdown', markdown), [
      'title: T',
      '# One two',
      'three four five six',
      '- seven',
      '- eight',
      '- nine',
      '| a | b',
      '| 1 | 2',
      'ten',
      'a < b\n\nc',
    ])
  })

  test('with HTML has its text and neither its scripts nor its tags', async () => {
    const markdown =
      'a <b>b</b><br>c\n\n<div hidden>d</div>\n<table><tr><td>e</td><td>f</td></tr></table>\n\n<script>g</script>\n'
    assert.deepEqual(await shown('markdown', markdown), ['a b\nc', '| e | f'])
  })
})

describe('HTML', () => {
  test('is headings, paragraphs, list items and table rows with entities resolved', async () => {
    const html = `<!doctype html><html><head><title>T</title><style>p {}</style></head><body>
      <h2>Head<b>ing</b></h2>text&nbsp;&amp; <p>one
      two<br><b>three</b>
<i>four</i><ul><li>a<li><p>b</p><ol><li>c</ol></ul>
      <table><caption>cap</caption><tr><th>x<th>y<tr><td><p>1</p><p>2</p><td></tr></table>
      <dl><dt>term<dd>meaning</dl><pre>  keep
    this</pre></body></html>`
    assert.deepEqual(await shown('html', html), [
      '## Heading',
      'text\u00a0&',
      'one two\nthree four',
      '- a',
      '- b',
      '- c',
      'cap',
      '| x | y',
      '| 1 2',
      '- term',
      '- meaning',
      'keep\n    this',
    ])
  })

  test('has no script, style, menu, control or hidden part', async () => {
    const html =
      '<nav><a>menu</a></nav><p>a<script>b</script><span hidden>c</span><i aria-hidden="true">d</i><b style="display: none">e</b></p><button>f</button><template>g</template><select><option>h</select><noscript>i</noscript><p>z'
    assert.deepEqual(await shown('html', html), ['a', 'z'])
  })

  test('with tables for its layout is read as a page', async () => {
    const html = `<table><tr><td><h1>One</h1><p>two</p><table><tr><td>3<td>4</table></td><td>five</td></tr></table>
      <table><tr><td><p>${'long '.repeat(120)}</p><p>short</p></td></tr></table>`
    assert.deepEqual(await shown('html', html), [
      '# One',
      'two',
      '| 3 | 4',
      'five',
      'long '.repeat(120).trim(),
      'short',
    ])
  })

  test('has no heading of more than 300 characters', async () => {
    assert.deepEqual(await shown('html', `<h1>${'a'.repeat(301)}</h1>`), ['a'.repeat(301)])
  })
})
