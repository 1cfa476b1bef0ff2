import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { unsafeParts } from '../../../test/harness/safe-html.ts'
import { refusals } from '../../kernel/refusal.ts'
import { run, sql } from '../../storage/query.ts'
import { seededSections, seededText } from './doc.seed.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const everyDoc = Object.entries(seededSections).flatMap(([product, sections]) =>
  sections.flatMap(({ docs }) => docs.map(({ slug, title }) => ({ product, slug, title }))),
)

describe('the docs after the first start', () => {
  test('are public for each of the three products, with the seeded texts', async () => {
    for (const { product, slug, title } of everyDoc) {
      const { status, body } = await app.call({ url: `/products/${product}/docs/${slug}` })
      assert.equal(status, 200, `${product} ${slug}`)
      assert.equal(body.doc.markdown, await seededText(product, slug))
      assert.equal(body.doc.toc[0].text, title)
      assert.deepEqual(unsafeParts(body.doc.html), [])
    }
  })

  test('are not created again, and never overwrite what has been changed or removed', async () => {
    await run(app.platform, sql`update product_docs set title = 'Mine' where slug = 'license-validation'`)
    await app.app.prepare()
    const { body } = await app.call({ url: '/products/editing-sdk/docs' })
    assert.deepEqual(
      body.docs.map(({ title }: { title: string }) => title),
      ['Mine'],
    )
    await run(app.platform, sql`update product_docs set title = 'License validation' where slug = 'license-validation'`)
  })

  test('name only existing routes, error codes and docs', async () => {
    const paths = app.routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }))
    const isThere = (method: string, path: string) =>
      paths.some((known) => known.method === method && known.pattern.test(path))
    let named = 0
    for (const { product, slug } of everyDoc) {
      const text = await seededText(product, slug)
      for (const { method, path } of [...callsIn(text), ...routesIn(text)]) {
        assert.ok(isThere(method, path), `${product}/${slug}: ${method} ${path}`)
        named += 1
      }
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        const isKnown = target.startsWith('/')
          ? isThere('GET', target)
          : everyDoc.some((doc) => doc.product === product && doc.slug === target)
        assert.ok(isKnown, `${product}/${slug} links to ${target}`)
      }
      for (const [, code = ''] of text.matchAll(/`((?:LICENSE|IDEMPOTENCY|QUOTA|RATE|LOGIN)_[A-Z_]+)`/g))
        assert.ok(code in refusals, `${product}/${slug}: ${code}`)
    }
    assert.ok(named > 25, `${named} routes are named`)
    assert.ok(!isThere('GET', '/vault/v1/nowhere/at/all'), 'the check knows what is not there')
  })
})

/** Matches the path of a route with any parameters. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`)
}

/** `curl -X POST $BASE/path` in the examples. */
function callsIn(text: string) {
  const calls = text.matchAll(/curl (?:-X (\w+) )?"?\$BASE([^\s"?\\]*)/g)
  return [...calls].map(([, method = 'GET', path = '']) => ({ method, path: path === '' ? '/' : path }))
}

/** `GET /path` in the text. */
function routesIn(text: string) {
  return [...text.matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/[^`?]*)/g)].map(([, method = '', path = '']) => ({
    method,
    path,
  }))
}
