import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { settings } from '../../src/config/config.ts'
import { routeRefusals } from '../../src/http/openapi/responses.ts'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import { pathParamNames, type Route } from '../../src/http/route.ts'
import { schemaCheck } from '../../src/http/validation.ts'
import { refusals } from '../../src/kernel/refusal.ts'
import { eventTypeNames } from '../../src/webhooks/event-types/event-types.ts'
import { type TestApp, testApp } from '../harness/app.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

type Operation = {
  operationId: string
  summary: string
  'x-aliases'?: string[]
  parameters?: { name: string; required: boolean }[]
  description?: string
  responses: Record<
    string,
    { description: string; content?: Record<string, { example?: unknown; examples?: unknown }> }
  >
  requestBody?: { content: Record<string, { schema?: unknown; example?: unknown }> }
}

function paths(): Record<string, Record<string, Operation>> {
  return (app.app.openApi() as { paths: Record<string, Record<string, Operation>> }).paths
}

function operations(): Operation[] {
  return Object.values(paths()).flatMap((path) => Object.values(path))
}

const templatePath = ({ path }: Route) => path.replace(/:(\w+)/g, '{$1}')

describe('the documents', () => {
  test('the reference has every route once: as an operation, or among the aliases of one with the same method', () => {
    const described = Object.entries(paths()).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { 'x-aliases': aliases = [] }]) =>
        [path, ...aliases].map((named) => `${method.toUpperCase()} ${named}`),
      ),
    )
    const served = app.routes.map((route) => `${route.method} ${templatePath(route)}`)
    assert.deepEqual(described.sort(), served.sort())
  })

  test('no two operations share a name or a title', () => {
    for (const member of ['operationId', 'summary'] as const) {
      const known = operations().map((operation) => operation[member])
      assert.deepEqual(
        known.filter((text, index) => known.indexOf(text) !== index),
        [],
      )
    }
  })

  test('an alias takes and answers what the operation that names it does, and its refusals stand there', () => {
    const aliases = app.routes.filter(({ aliasOf }) => aliasOf !== undefined)
    assert.ok(aliases.length > 50)
    for (const alias of aliases) {
      const route = app.routes.find(({ name }) => name === alias.aliasOf)
      const operation = operations().find(({ operationId }) => operationId === alias.aliasOf)
      assert.ok(route && operation, alias.path)
      assert.ok(operation.description?.includes(`\`${templatePath(alias)}\``), alias.path)
      for (const member of ['method', 'body', 'query', 'answers', 'upload', 'rawBody', 'idempotent'] as const)
        assert.equal(alias[member], route[member], alias.path)
      assert.deepEqual(pathParamNames(alias.path), pathParamNames(route.path))
      for (const code of routeRefusals(alias))
        assert.ok(operation.responses[refusals[code][0]]?.description.includes(code), `${alias.path}: ${code}`)
    }
  })

  test('every body and answer has an example', () => {
    for (const { operationId, requestBody, responses } of operations()) {
      for (const { example } of Object.values(requestBody?.content ?? {})) assert.ok(example, operationId)
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, media] of Object.entries(content)) {
          // Its answer has examples itself; the members of its schema have theirs.
          if (type.includes('json') && operationId !== 'listWebhookEventTypes')
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

  test('the committed documents are those that the service gives to anybody', async () => {
    for (const [url, file] of [
      ['/openapi.json', 'openapi/api.json'],
      ['/asyncapi.json', 'openapi/asyncapi.json'],
    ] as const) {
      const { body } = await app.call({ url })
      const { version: _, ...info } = body.info
      const committed = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
      const { version: __, ...committedInfo } = committed.info
      assert.deepEqual({ ...body, info }, { ...committed, info: committedInfo })
    }
    const { info } = app.app.openApi() as { info: { description: string } }
    assert.match(info.description, /\/asyncapi\.json/)
  })

  test('every pattern is one that other engines read, too: without Unicode properties, with and without the flag u', () => {
    const patterns: string[] = []
    JSON.stringify([app.app.openApi(), app.app.asyncApi()], (name, value) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value)
      return value
    })
    assert.ok(patterns.length > 200)
    for (const pattern of new Set(patterns)) {
      assert.doesNotMatch(pattern, /\\[pP]\{|\\u\{|\(\?<|\\k/, pattern)
      assert.doesNotThrow(() => [new RegExp(pattern, 'u'), new RegExp(pattern)], pattern)
    }
  })

  test('the reference has every event that endpoints get, with an example that its schema accepts', async () => {
    const { webhooks } = app.app.openApi() as { webhooks: Record<string, { post: Operation }> }
    assert.deepEqual(Object.keys(webhooks), eventTypeNames)
    const names = [...operations(), ...Object.values(webhooks).map(({ post }) => post)].map((it) => it.operationId)
    assert.equal(new Set(names).size, names.length)
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post.requestBody?.content['application/json'] ?? assert.fail(type)
      await assert.doesNotReject(schemaCheck(schema as object, 'body')(example), type)
      await assert.rejects(schemaCheck(schema as object, 'body')({ ...(example as object), type: 'other' }), type)
    }
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
    for (const url of [
      '/',
      '/products',
      '/v1/products',
      '/products/vault-vpn',
      '/openapi.json',
      '/asyncapi.json',
      '/docs',
    ]) {
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
