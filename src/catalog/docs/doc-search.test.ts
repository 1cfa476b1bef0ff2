import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catalogCalls, type TestProduct } from '../../../test/harness/catalog.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const read = (url: string) => app.call({ url })
async function addDoc(overrides: object, of: TestProduct) {
  const fresh = { slug: unique('doc'), title: 'A doc', markdown: '# A doc', status: 'PUBLISHED' }
  const reply = await catalogCalls(app).add(of, 'docs', { ...fresh, ...overrides })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.doc
}

describe('a search in the docs', () => {
  let own: TestProduct
  const search = async (q: string) => (await read(`/products/${own.slug}/docs?q=${encodeURIComponent(q)}`)).body.results
  const slugs = async (q: string) => (await search(q)).map(({ slug }: { slug: string }) => slug)

  before(async () => {
    const { product } = catalogCalls(app)
    own = await product()
    await addDoc(
      {
        slug: 'body',
        title: 'One',
        markdown: 'Text of tunnels, and more.\n\n## Below\n\nKeys <script> are validated.',
      },
      own,
    )
    await addDoc({ slug: 'heading', title: 'Two', markdown: '## Tunnels\n\nText.' }, own)
    await addDoc({ slug: 'title', title: 'Tunnel', markdown: 'Text.' }, own)
    await addDoc({ slug: 'draft', title: 'Tunnel', markdown: 'Tunnel.', status: 'DRAFT' }, own)
    await addDoc({ title: 'Tunnel' }, await product())
  })

  test('ranks titles before headings before text, in any form of a word, and finds only public docs', async () => {
    assert.deepEqual(await slugs('tunnels'), ['title', 'heading', 'body'])
    assert.deepEqual(await slugs('tunnel'), ['title', 'heading', 'body'])
    assert.deepEqual(await slugs('validate keys'), ['body'])
    assert.deepEqual((await slugs('tunnel -keys')).sort(), ['heading', 'title'])
    assert.deepEqual(await slugs('"text of tunnels"'), ['body'])
    assert.deepEqual(await slugs('"validated keys"'), [])
    assert.deepEqual(await slugs('nothing'), [])
    assert.deepEqual(await slugs(''), [])
  })

  test('finds a word after each letter typed', async () => {
    for (let length = 1; length <= 'validated'.length; length += 1)
      assert.deepEqual(await slugs('validated'.slice(0, length)), ['body'], 'validated'.slice(0, length))
  })

  test('shows an escaped snippet with the words marked', async () => {
    assert.deepEqual(
      (await search('validation')).map(({ snippet, anchor }: Record<string, string>) => [anchor, snippet]),
      [['c-below', 'Keys &lt;script&gt; are <mark>validated</mark>.']],
    )
  })

  test('accepts any query', async () => {
    const hostile = [
      ...[
        "' or 1=1 --",
        '&|!<->',
        '((((',
        ':*',
        "a:*b'c",
        '"',
        '\\',
        '%',
        '-',
        '- -',
        'or',
        'or or or',
        '<script>',
        'a & b | !c',
      ],
      ...[
        '"'.repeat(200),
        '-'.repeat(200),
        'a '.repeat(100),
        '"a" '.repeat(50),
        '日本語',
        '\u{1f600}',
        'the',
        'the:*',
        "x'::tsquery",
      ],
    ]
    for (const q of hostile) {
      const reply = await read(`/products/${own.slug}/docs?q=${encodeURIComponent(q)}`)
      assert.equal(reply.status, 200, q)
      assert.ok(Array.isArray(reply.body.results))
    }
    assert.deepEqual(codeOf(await read(`/products/${own.slug}/docs?q=${'a'.repeat(201)}`)), [400, 'VALIDATION_ERROR'])
    assert.deepEqual(codeOf(await read(`/products/${own.slug}/docs?q=%00`)), [400, 'VALIDATION_ERROR'])
  })

  test('indexes a text of the maximum length with the most distinct words', async () => {
    const words = Array.from({ length: 40_000 }, (_, number) => number.toString(36).padStart(4, 'w')).join(' ')
    const doc = await addDoc({ markdown: words.slice(0, 200_000) }, own)
    assert.deepEqual(await slugs('www1'), [doc.slug])
    await addDoc(
      { markdown: Array.from({ length: 60_000 }, (_, number) => String.fromCodePoint(0x20000 + number)).join(' ') },
      own,
    )
  })
})
