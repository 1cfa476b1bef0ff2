import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hostileHtml, hostileMarkdown } from '../../test/harness/hostile-markup.ts'
import { unsafeParts } from '../../test/harness/safe-html.ts'
import { cleanHtml, markupLengthMax, renderMarkdown } from './markup.ts'

const htmlOf = async (markdown: string) => (await renderMarkdown(markdown)).html.trim()

/** Texts of pieces that mean something to a parser: they meet in ways that nobody writes down. */
const mixed = (pieces: string[]) =>
  fc
    .array(
      fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 }), fc.constantFrom(...'<>"\'&/=! \n\t`[](){}*_#')),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(''))

describe('hostile texts', () => {
  test('as HTML leave only elements, attributes and addresses that can do nothing, and are clean after one cleaning', async () => {
    assert.ok(hostileHtml.length + hostileMarkdown.length >= 120)
    const nested = '<a href=""<svg><animate href=#a values=javascript:alert(1) /><a id=a><text>x</text></a></svg>'
    for (const html of [...hostileHtml, ...hostileMarkdown, hostileHtml.join(''), hostileHtml.join('"\'>'), nested]) {
      const cleaned = await cleanHtml(html)
      assert.deepEqual(unsafeParts(cleaned), [], html)
      assert.equal(await cleanHtml(cleaned), cleaned, html)
    }
  })

  test('as Markdown are shown as the text they are, or as a link that can do nothing', async () => {
    for (const markdown of [
      ...hostileMarkdown,
      ...hostileHtml,
      hostileMarkdown.join('\n\n'),
      hostileHtml.join('\n\n'),
    ]) {
      const { html } = await renderMarkdown(markdown)
      assert.deepEqual(unsafeParts(html), [], markdown)
      assert.equal(await cleanHtml(html), html, markdown)
    }
    assert.equal(await htmlOf('<script>alert(1)</script>'), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    assert.equal(await htmlOf('[x](javascript:alert(1))'), '<p>[x](javascript:alert(1))</p>')
  })

  test('in any mixture are harmless too', async () => {
    const html = mixed([
      ...hostileHtml,
      '<p>',
      '</p>',
      '<a href="',
      '<img src=',
      '<!--',
      '-->',
      '<table>',
      '<li>',
      '&#x6a;',
    ])
    await fc.assert(
      fc.asyncProperty(html, async (sent) => {
        const cleaned = await cleanHtml(sent)
        assert.deepEqual(unsafeParts(cleaned), [])
        assert.equal(await cleanHtml(cleaned), cleaned)
      }),
      { numRuns: 400 },
    )
    const markdown = mixed([
      ...hostileMarkdown,
      '](',
      '![',
      '\n# ',
      '\n> ',
      '\n- ',
      '\n```',
      '|',
      '|-|\n',
      '<http://',
      '\n[a]: ',
    ])
    await fc.assert(
      fc.asyncProperty(markdown, async (sent) => {
        const { html } = await renderMarkdown(sent)
        assert.deepEqual(unsafeParts(html), [])
        assert.equal(await cleanHtml(html), html)
      }),
      { numRuns: 400 },
    )
  })

  test('the check of these tests itself sees what is not safe', () => {
    for (const html of [
      ...[
        '<script>x</script>',
        '<p onclick="x">a</p>',
        '<a href="javascript:x">a</a>',
        '<a href="//x">a</a>',
        '<p>',
        '</p>',
      ],
      ...[
        '<img src="data:x" />',
        '<p id="location">a</p>',
        '<p class="x">a</p>',
        '<b',
        'a & b',
        "<p title='x'>a</p>",
        '<!-- -->',
      ],
      ...['<a href="/&#92;evil.example">a</a>', '<a href="java&#10;script:x">a</a>', '<svg></svg>', '<b><i></b></i>'],
    ])
      assert.notDeepEqual(unsafeParts(html), [], html)
    assert.deepEqual(unsafeParts('<p id="c-x">a &amp; <a href="https://x.example">b</a> <img src="/x" /></p>'), [])
  })
})

describe('Markdown', () => {
  test('has headings with stable ids that are unique and cannot take a name of the page', async () => {
    const { html, toc } = await renderMarkdown(
      '# Location\n## Größe & Maß\n## Größe & Maß\n# Location 1\n# Location\n# !?\n# `a_b`',
    )
    assert.deepEqual(toc, [
      { id: 'c-location', text: 'Location', level: 1 },
      { id: 'c-größe--maß', text: 'Größe & Maß', level: 2 },
      { id: 'c-größe--maß-1', text: 'Größe & Maß', level: 2 },
      { id: 'c-location-1', text: 'Location 1', level: 1 },
      { id: 'c-location-2', text: 'Location', level: 1 },
      { id: 'c-section', text: '!?', level: 1 },
      { id: 'c-a_b', text: 'a_b', level: 1 },
    ])
    for (const { id, level } of toc) assert.match(html, new RegExp(`<h${level} id="${id}">`))
  })

  test('links to its own headings as they are written, and to other hosts without giving them anything', async () => {
    assert.equal(await htmlOf('[a](#größe--maß)'), '<p><a href="#c-größe--maß">a</a></p>')
    assert.equal(await htmlOf('[a](../b?c=1#d)'), '<p><a href="../b?c=1#d">a</a></p>')
    assert.equal(await htmlOf('[a](mailto:a@b.example)'), '<p><a href="mailto:a@b.example">a</a></p>')
    assert.equal(
      await htmlOf('[a](https://b.example/?c&d "e")'),
      '<p><a href="https://b.example/?c&amp;d" title="e" rel="noopener nofollow ugc">a</a></p>',
    )
  })

  test('has tables with sides, code with its language, images, and lists', async () => {
    assert.match(await htmlOf('|a|b|\n|:-:|-:|\n|1|2|'), /<th align="center">a<\/th>\s*<th align="right">b<\/th>/)
    assert.equal(await htmlOf('```c++ x\na < b\n```'), '<pre><code class="language-c++">a &lt; b\n</code></pre>')
    assert.equal(await htmlOf('![a](/b.png "c")'), '<p><img src="/b.png" alt="a" title="c" /></p>')
    assert.equal(await htmlOf('3. a\n4. ~~b~~'), '<ol start="3">\n<li>a</li>\n<li><s>b</s></li>\n</ol>')
  })

  test('is read as passages of plain text below its headings, and its words are counted', async () => {
    const { passages, wordCount } = await renderMarkdown(
      'Be *fore* <b>.\n\n# One `two`\nthree [four](/x)\nfive\n\n- six\n\n```\nseven < 8\n```\n## Ten\n',
    )
    assert.deepEqual(passages, [
      { anchor: null, heading: '', text: 'Be fore <b>.' },
      { anchor: 'c-one-two', heading: 'One two', text: 'three four five\nsix\nseven < 8' },
      { anchor: 'c-ten', heading: 'Ten', text: '' },
    ])
    assert.equal(wordCount, 12)
  })
})

describe('HTML', () => {
  test('keeps text, lists, tables, figures and details, with ids of the text’s own and no class but a language', async () => {
    const kept =
      '<h2 id="c-a">A</h2><figure><img src="/a.png" alt="" width="3" /><figcaption>b</figcaption></figure><details open><summary>c</summary>d</details><table><tbody><tr><td colspan="2">e</td></tr></tbody></table><pre><code class="language-ts">f</code></pre>'
    assert.equal(await cleanHtml(kept), kept)
    assert.equal(
      await cleanHtml('<h2 id="a" class="x">A</h2><a href="#a">b</a>'),
      '<h2 id="c-a">A</h2><a href="#c-a">b</a>',
    )
    assert.equal(await cleanHtml('<div>a<style>b</style><form>c</form></div>'), '<div>ac</div>')
  })
})

describe('a text that is made to be slow', () => {
  const filled = (piece: string) => piece.repeat(Math.ceil(50_000 / piece.length)).slice(0, 50_000)

  test('is read in bounded time, and no HTML of it is much longer than it is', async () => {
    const texts = [
      ...[
        '[',
        '![',
        '*',
        '*a_ ',
        '**a* ',
        '> ',
        '- ',
        '`',
        '<',
        '&',
        '[a](',
        '[a](<b',
        '_a',
        '~~a',
        '\\',
        '> - > 1. ',
        '<!--',
        '# a\n',
      ],
      ...[
        'a\n=\n',
        '***\n',
        '```\n',
        '[a](b "',
        '[a]: b\n',
        '<a ',
        '<p>',
        '<ul><li>',
        '<table><tr><td>',
        '<b title="',
        '&#x',
        '</',
      ],
    ].map(filled)
    const deep = Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')
    const ticks = Array.from({ length: 300 }, (_, length) => '`'.repeat(length)).join(' ')
    const table = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${filled(`${'|a'.repeat(100)}|\n`)}`
    const stars = `${'*'.repeat(25_000)}a${'*'.repeat(25_000)}`
    for (const text of [...texts, deep, ticks, table, stars]) {
      const startMs = performance.now()
      const { html } = await renderMarkdown(text)
      await cleanHtml(text)
      // Far above what was measured (the slowest took half a second): what is bounded badly takes minutes.
      assert.ok(performance.now() - startMs < 15_000, text.slice(0, 20))
      assert.ok(html.length < 15 * text.length, text.slice(0, 20))
    }
  })

  test('is refused when it is too long, or multiplies itself', async () => {
    const refused = { code: 'VALIDATION_ERROR' }
    await assert.rejects(renderMarkdown('a'.repeat(markupLengthMax + 1)), refused)
    await assert.rejects(cleanHtml('a'.repeat(markupLengthMax + 1)), refused)
    await assert.rejects(renderMarkdown(`[a]: b "${'t'.repeat(90_000)}"\n\n${'[a] '.repeat(25_000)}`), refused)
    assert.equal((await renderMarkdown('a'.repeat(markupLengthMax))).wordCount, 1)
  })
})
