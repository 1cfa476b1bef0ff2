import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { settings } from '../../src/config.ts'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import { schemaCheck } from '../../src/http/validation.ts'
import { refusals } from '../../src/kernel/refusal.ts'
import { type TestApp, testApp } from '../harness/app.ts'
import { clientCompiles } from '../harness/generated-client.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string; required: boolean }[]
  responses: Record<string, { content?: Record<string, { example?: unknown; examples?: unknown }> }>
  requestBody?: { content: Record<string, { example?: unknown }> }
}

function operations(): Operation[] {
  const { paths } = app.app.openApi() as { paths: Record<string, Record<string, Operation>> }
  return Object.values(paths).flatMap((path) => Object.values(path))
}

describe('the documents', () => {
  test('the reference has every route once, with an example for every body and answer', () => {
    assert.equal(operations().length, app.routes.length)
    const names = operations().map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length, 'two operations share a name')
    for (const { operationId, requestBody, responses } of operations()) {
      for (const { example } of Object.values(requestBody?.content ?? {})) assert.ok(example, operationId)
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, media] of Object.entries(content)) {
          if (type.includes('json'))
            assert.ok(media.example !== undefined || media.examples !== undefined, `${operationId} ${status}`)
        }
      }
    }
  })

  test('no optional parameter has an example value: the reference’s try-it and its curl commands would send it', () => {
    const optional = operations().flatMap(({ parameters = [] }) => parameters.filter(({ required }) => !required))
    assert.ok(optional.some(({ name }) => name === 'Idempotency-Key'))
    for (const parameter of optional) assert.doesNotMatch(JSON.stringify(parameter), /"examples?":/)
  })

  test('every example of a request body is accepted by its own route’s schema', async () => {
    for (const route of app.routes.filter(({ body }) => body !== undefined)) {
      const check = schemaCheck(route.body as object, 'body')
      await assert.doesNotReject(check(exampleValue(route.body)), `${route.method} ${route.path}`)
    }
  })

  test('every example of an upload’s text fields is accepted by its own route’s schema', async () => {
    for (const { upload, name } of app.routes) {
      if (upload) await assert.doesNotReject(schemaCheck(upload.fields, 'body')(exampleValue(upload.fields)), name)
    }
  })

  test('a TypeScript client generated from the document compiles', {
    timeout: 120_000,
    skip: process.env['ATRIUM_TEST_DATABASE'] === 'postgres' && 'the document is the same on either database',
  }, async () => {
    const { ok, output } = await clientCompiles(app.app.openApi())
    assert.ok(ok, output)
  })

  test('the committed document is the one that the service gives', async () => {
    const { body } = await app.call({ url: '/openapi.json' })
    const committed = JSON.parse(readFileSync(new URL('../../openapi/api.json', import.meta.url), 'utf8'))
    assert.deepEqual({ ...body, info: null }, { ...committed, info: null })
  })

  test('every error code is explained on the page that its type points to', async () => {
    const { body } = await app.call({ url: '/docs/errors' })
    for (const code of Object.keys(refusals)) assert.ok(body.includes(`id="${code}"`), code)
  })

  test('every setting stands in the page of the configuration', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
    for (const [variable] of Object.values(settings)) assert.ok(page.includes(`| \`${variable}\` |`), variable)
  })
})

describe('public reads', () => {
  test('an unchanged answer is 304 to its own ETag, and a changed one is not', async () => {
    for (const url of ['/', '/products', '/v1/products', '/products/vault-vpn', '/openapi.json', '/docs']) {
      const first = await app.call({ url })
      assert.equal(first.status, 200, url)
      const etag = first.headers['etag'] ?? ''
      assert.match(etag, /^"[\w-]{27}"$/)
      const again = await app.call({ url, headers: { 'if-none-match': `"other", ${etag}` } })
      assert.equal(again.status, 304, url)
      assert.equal(again.bytes.length, 0)
      assert.equal((await app.call({ url, headers: { 'if-none-match': '"other"' } })).status, 200)
    }
  })

  test('the home page and the catalog list the three products of the specification', async () => {
    const home = await app.call({ url: '/' })
    const list = await app.call({ url: '/products?utm_source=somewhere' })
    const expected = [
      ['vault-vpn', 'APP', 'LIVE'],
      ['assistant-ai', 'APP', 'BETA'],
      ['editing-sdk', 'SDK', 'COMING_SOON'],
    ]
    for (const { products } of [home.body, list.body]) {
      const found = products.map(({ slug, type, status }: Record<string, string>) => [slug, type, status])
      for (const product of expected)
        assert.deepEqual(
          found.find(([slug]: string[]) => slug === product[0]),
          product,
        )
    }
    assert.deepEqual(home.body.links, { docs: '/docs', openapi: '/openapi.json', health: '/health' })
    const apps = await app.call({ url: '/products?type=app' })
    assert.ok(apps.body.products.every(({ type }: { type: string }) => type === 'APP'))
    assert.equal((await app.call({ url: '/products?type=toaster' })).status, 400)
    assert.equal((await app.call({ url: '/products/no-such-product' })).body.code, 'NOT_FOUND')
  })
})
