import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { unsafeParts } from '../../../test/harness/safe-html.ts'
import { buildOutline, findParentFault, readingMinutes } from './doc.rules.ts'
import { bestSnippet, parseSearchQuery } from './search.rules.ts'

const section = (id: string, parentId: string | null = null, order = 0) => ({ id, parentId, order })
const doc = (id: string, sectionId: string | null = null, order = 0) => ({ id, sectionId, order })

describe('the reading order of docs', () => {
  test('puts docs without a section first, then each section’s own docs before the sections inside it', () => {
    const sections = [section('b', null, 2), section('a', null, 1), section('a2', 'a', 2), section('a1', 'a', 1)]
    const docs = [doc('5', 'b'), doc('4', 'a2'), doc('3', 'a1'), doc('2', 'a', 9), doc('1', 'a', 1), doc('0')]
    const outline = buildOutline(sections, docs)
    assert.deepEqual(
      outline.docs.map(({ id }) => id),
      ['0', '1', '2', '3', '4', '5'],
    )
    assert.deepEqual(
      outline.sections.map((entry) => entry.section.id),
      ['a', 'a1', 'a2', 'b'],
    )
  })

  test('leaves out sections without any docs inside', () => {
    const outline = buildOutline([section('a'), section('b', 'a'), section('c')], [doc('1', 'b')])
    assert.deepEqual(
      outline.sections.map((entry) => entry.section.id),
      ['a', 'b'],
    )
  })
})

test('no section is inside itself, inside one below it, or deeper than five levels', () => {
  const chain = [section('a'), section('b', 'a'), section('c', 'b'), section('d', 'c')]
  assert.match(findParentFault(chain, 'a', 'a') ?? '', /itself/)
  assert.match(findParentFault(chain, 'a', 'd') ?? '', /itself/)
  assert.equal(findParentFault(chain, 'e', 'd'), null)
  assert.match(findParentFault([...chain, section('e', 'd')], 'f', 'e') ?? '', /levels/)
  assert.match(findParentFault([...chain, section('x'), section('y', 'x')], 'x', 'd') ?? '', /levels/)
  assert.equal(findParentFault(chain, 'd', null), null)
})

test('reading takes at least a minute', () => {
  assert.deepEqual([0, 200, 500, 2000].map(readingMinutes), [1, 1, 3, 10])
})

describe('the snippet of a search', () => {
  const passage = (heading: string, text: string) => ({ anchor: heading === '' ? null : `c-${heading}`, heading, text })

  test('comes from the passage with most of the words, with all their forms marked', () => {
    const passages = [passage('', 'A license.'), passage('keys', 'Licenses are validated. A company validates.')]
    assert.deepEqual(bestSnippet(passages, ['licens', 'valid', 'compani']), {
      anchor: 'c-keys',
      snippet: '<mark>Licenses</mark> are <mark>validated</mark>. A <mark>company</mark> <mark>validates</mark>.',
    })
    assert.deepEqual(bestSnippet([passage('start', '')], ['start']), {
      anchor: 'c-start',
      snippet: '<mark>start</mark>',
    })
    assert.deepEqual(bestSnippet([], ['x']), { anchor: null, snippet: '' })
  })

  test('surrounds the first word found', () => {
    const { snippet } = bestSnippet([passage('', `${'before '.repeat(100)}found ${'after '.repeat(100)}`)], ['found'])
    assert.match(snippet, /^… (before )+<mark>found<\/mark>( after)+ …$/)
    assert.ok(snippet.length < 240)
  })

  test('is escaped for any text and words, except for the marks', () => {
    const { snippet } = bestSnippet(
      [passage('', `<script>alert("1" + '2')</script> <mark>`)],
      ['script', 'mark', 'quot'],
    )
    assert.equal(
      snippet,
      '&lt;<mark>script</mark>&gt;alert(&quot;1&quot; + &#39;2&#39;)&lt;/<mark>script</mark>&gt; &lt;<mark>mark</mark>&gt;',
    )
    const text = fc
      .array(fc.constantFrom('<b>', '&amp;', '"', "'", 'amp', 'lt', '&', '\u{1f600}', ' word', 'ß', '<mark>'))
      .map((all) => all.join(''))
    fc.assert(
      fc.property(
        text,
        fc.array(fc.constantFrom('amp', 'lt', 'word', 'b', 'ß', 'mark', 'gt', '3')),
        (written, stems) => {
          const found = bestSnippet([passage('', written)], stems)
          assert.deepEqual(unsafeParts(found.snippet), [])
          assert.deepEqual(found.snippet.match(/<(?!\/?mark>)/g), null, 'no other tag')
          assert.ok(found.snippet.isWellFormed())
        },
      ),
    )
  })

  test('parses words, phrases, exclusions and an incomplete last word', () => {
    const read = (sent: string) => Object.values(parseSearchQuery(sent))
    assert.deepEqual(read('license Vali'), ['license Vali', 'license', 'vali'])
    assert.deepEqual(read('Vali'), ['Vali', '', 'vali'])
    assert.deepEqual(read('a/b.c'), ['a b c', 'a b', 'c'])
    assert.deepEqual(read('"a  b" -c or d '), ['"a b" -"c" or d', '"a b" -"c" or d', null])
    assert.deepEqual(read('"open phrase'), ['"open phrase"', '"open phrase"', null])
    assert.deepEqual(read('a -b'), ['a -"b"', 'a -"b"', null])
    assert.deepEqual(read('a-b --c ---'), ['a b -"c"', 'a b -"c"', null])
    for (const sent of ['', '  ', '&|!():*', '---', '""', '" "', '<->'])
      assert.deepEqual(read(sent), ['', '', null], sent)
  })
})
