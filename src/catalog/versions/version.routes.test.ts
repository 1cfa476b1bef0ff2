import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import semver from 'semver'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { catalogCalls, type TestProduct } from '../../../test/harness/catalog.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { parseSemanticVersion } from './semantic-version.ts'
import type { PublicVersion } from './version.schema.ts'
import { listVersionsByProduct } from './version.service.ts'

let app: TestApp
let catalog: ReturnType<typeof catalogCalls>

before(async () => {
  app = await testApp()
  catalog = catalogCalls(app)
})

const add = async (product: TestProduct, version: string, overrides = {}) => {
  const reply = await catalog.add(product, 'versions', { version, ...overrides })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.version
}
const listed = async (product: TestProduct, query = ''): Promise<PublicVersion[]> =>
  (await app.call({ url: `/v1/products/${product.slug}/versions${query}` })).body.versions
const latestOf = async (product: TestProduct) =>
  (await listed(product)).filter(({ isLatest }) => isLatest).map(({ version }) => version)

describe('versions', () => {
  test('sort as text in the order of semver.org section 11', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 2 ** 40 }))
    const part = fc.oneof(number.map(String), fc.stringMatching(/^[A-Za-z-][0-9A-Za-z-]{0,3}$/))
    const version = fc
      .tuple(number, number, number, fc.array(part, { maxLength: 3 }))
      .map(
        ([major, minor, patch, parts]) =>
          `${major}.${minor}.${patch}${parts.length === 0 ? '' : `-${parts.join('.')}`}`,
      )
    const ladder = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
    ]
    const keyOf = (text: string) => Buffer.from(parseSemanticVersion(text)?.precedence ?? '')
    assert.deepEqual(
      ladder.toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b))),
      ladder,
    )
    fc.assert(
      fc.property(version, version, (one, other) => {
        assert.equal(Buffer.compare(keyOf(one), keyOf(other)), semver.compare(one, other), `${one} ${other}`)
      }),
      { numRuns: 2000 },
    )
  })

  test('are parsed in the usual spellings, and anything else is refused', () => {
    assert.deepEqual(parseSemanticVersion(' v1.2.3+5 ')?.version, '1.2.3+5')
    assert.deepEqual(
      ['1.0.0', '1.0.0-rc.1', '1.0.0-nightly.20261121', '1.0.0-dev'].map((text) => parseSemanticVersion(text)?.channel),
      ['stable', 'beta', 'nightly', 'nightly'],
    )
    for (const text of ['1', '1.2', '01.2.3', '1.2.3-', 'latest', '', '1.2.3.4', `${'9'.repeat(20)}.0.0`])
      assert.equal(parseSemanticVersion(text), null, text)
  })

  test('are listed newest first by precedence, in any order of creation, with one latest version for each channel', async () => {
    const product = await catalog.product()
    for (const version of ['1.9.0', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.10', '1.2.0', '2.0.0-nightly.1'])
      await add(product, version)
    assert.deepEqual(
      (await listed(product)).map(({ version }) => version),
      ['2.0.0-nightly.1', '2.0.0-beta.10', '2.0.0-beta.2', '1.10.0', '1.9.0', '1.2.0'],
    )
    assert.deepEqual(await latestOf(product), ['2.0.0-nightly.1', '2.0.0-beta.10', '1.10.0'])
    assert.deepEqual(
      (await listed(product, '?channel=stable&limit=1')).map(({ version }) => version),
      ['1.10.0'],
    )
    const shown = (await listVersionsByProduct(app.platform, [product.id])).get(product.id)
    assert.deepEqual(shown, await listed(product))
  })

  test('that are yanked stay listed with the reason and are never the latest, until they are restored', async () => {
    const product = await catalog.product()
    await add(product, '1.0.0')
    const bad = await add(product, '1.1.0')
    const yank = (body: unknown) => catalog.change(product, 'versions', { id: bad.id, body })
    assert.equal((await yank({ yankReason: 'x' })).status, 400)
    app.clock.advance({ seconds: 5 })
    const { version: yanked } = (await yank({ yanked: true, yankReason: 'Loses settings.' })).body
    assert.deepEqual([yanked.yankedAt, yanked.isLatest], [app.clock.now().toISOString(), false])
    assert.deepEqual(await latestOf(product), ['1.0.0'])
    app.clock.advance({ seconds: 5 })
    assert.equal((await yank({ yanked: true })).body.version.yankedAt, yanked.yankedAt, 'a second time changes nothing')
    assert.equal((await listed(product))[0]?.yankReason, 'Loses settings.')
    const again = (await yank({ yanked: false })).body.version
    assert.deepEqual([again.yankedAt, again.yankReason, again.isLatest], [null, null, true])
  })

  test('have notes as sanitized HTML', async () => {
    const product = await catalog.product()
    const made = await add(product, '1.0.0', {
      notes: '- **New** <script>',
      minRequirements: { node: '>=22' },
      breaking: true,
    })
    assert.equal(made.notesHtml, '<ul>\n<li><strong>New</strong> &lt;script&gt;</li>\n</ul>\n')
    assert.deepEqual([made.minRequirements, made.breaking], [{ node: '>=22' }, true])
    const { body } = await catalog.change(product, 'versions', { id: made.id, body: { notes: null } })
    assert.deepEqual([body.version.notes, body.version.notesHtml, body.version.breaking], [null, null, true])
  })

  test('are unique in a product, also under concurrent creation', async () => {
    const product = await catalog.product()
    const replies = await Promise.all(
      ['1.0.0', 'v1.0.0', ' 1.0.0'].map((version) => catalog.add(product, 'versions', { version })),
    )
    assert.deepEqual(
      replies
        .map(codeOf)
        .map(([status]) => status)
        .sort(),
      [201, 409, 409],
    )
  })

  test('that are invalid are refused with a JSON pointer', async () => {
    const product = await catalog.product()
    const wrong: [string, unknown][] = [
      ['version', '1.0'],
      ['channel', 'alpha'],
      ['releasedAt', new Date(app.clock.now().getTime() + 1000).toISOString()],
      ['minRequirements', { node: 22 }],
      ['minRequirements', { '__proto__ x!': '1' }],
      ['notes', 'x'.repeat(20_001)],
    ]
    for (const [field, value] of wrong) {
      const reply = await catalog.add(product, 'versions', { version: '1.0.0', [field]: value })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path?.startsWith(`/body/${field}`)], [400, true], field)
    }
  })

  test('of a draft are not public', async () => {
    const product = await catalog.product({ status: 'DRAFT' })
    await add(product, '1.0.0')
    assert.deepEqual(codeOf(await app.call({ url: `/products/${product.slug}/versions` })), [404, 'NOT_FOUND'])
  })
})
