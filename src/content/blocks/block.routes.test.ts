import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const blocks = '/admin/cms/blocks'
const keyOf = () => unique('test.block')

function create(body: Record<string, unknown>): Promise<Reply> {
  return app.call({ method: 'POST', url: blocks, headers: app.admin, body })
}

function put(key: string, body: unknown, headers: Record<string, string> = {}, query = ''): Promise<Reply> {
  return app.call({
    method: 'PUT',
    url: `${blocks}/by-key/${key}${query}`,
    headers: { ...app.admin, ...headers },
    body,
  })
}

function change(id: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return app.call({ method: 'PATCH', url: `${blocks}/${id}`, headers: { ...app.admin, ...headers }, body })
}

describe('content blocks', () => {
  test('a block is read by everybody as soon as it is written, with HTML where it is markdown', async () => {
    const key = keyOf()
    const made = await create({ key, type: 'markdown', value: 'Hello', description: 'For editors' })
    assert.equal(made.status, 201)
    assert.equal(made.headers['location'], `${blocks}/${made.body.block.id}`)
    const { body, headers } = await app.call({ url: `/cms/blocks/${key}` })
    const { html, updatedAt, ...rest } = body.block
    assert.deepEqual(rest, { key, locale: 'en', type: 'markdown', value: 'Hello' })
    assert.match(html, /^<p>Hello<\/p>\s*$/)
    assert.equal(updatedAt, app.clock.now().toISOString())
    const again = await app.call({ url: `/cms/blocks/${key}`, headers: { 'if-none-match': headers['etag'] ?? '' } })
    assert.equal(again.status, 304)
    await change(made.body.block.id, { value: 'Changed' })
    assert.equal((await app.call({ url: `/cms/blocks/${key}` })).body.block.value, 'Changed')
  })

  test('a value of each type comes back as it was sent', async () => {
    const values = {
      text: '<b>"\\ \u202e 😀',
      json: { z: [1, null, { a: 'b' }], a: false },
      url: 'https://example.com/?a=b&c',
      boolean: false,
      number: -12.5,
    }
    for (const [type, value] of Object.entries(values)) {
      const key = keyOf()
      assert.equal((await create({ key, type, value })).status, 201, type)
      const { block } = (await app.call({ url: `/cms/blocks/${key}` })).body
      assert.deepEqual([block.value, block.html], [value, null])
    }
    const key = keyOf()
    await create({ key, type: 'json', value: null })
    assert.equal((await app.call({ url: `/cms/blocks/${key}` })).body.block.value, null)
  })

  test('a value that is none of its type is refused and changes nothing', async () => {
    const key = keyOf()
    const refused = await create({ key, type: 'number', value: 'many' })
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, '/body/value'])
    const infinite = await app.call({
      method: 'PUT',
      url: `${blocks}/by-key/${key}`,
      headers: app.admin,
      body: '{"type":"json","value":[1e999]}',
    })
    assert.deepEqual([infinite.status, infinite.body.errors[0].path], [400, '/body/value'])
    assert.equal((await app.call({ url: `/cms/blocks/${key}` })).status, 404)
    const { body } = await create({ key, type: 'url', value: '/a' })
    for (const bad of [{ value: 'javascript:alert(1)' }, { type: 'boolean' }])
      assert.equal((await change(body.block.id, bad)).status, 400)
    const { block } = (await app.call({ url: `${blocks}/${body.block.id}`, headers: app.admin })).body
    assert.deepEqual([block.value, block.type, block.revision], ['/a', 'url', 1])
  })

  test('a key has one block in each locale, however the locale is spelled', async () => {
    const key = keyOf()
    await create({ key, type: 'text', value: 'Hello' })
    assert.equal((await create({ key, locale: 'pt-br', type: 'text', value: 'Olá' })).status, 201)
    assert.equal((await create({ key, locale: 'PT-BR', type: 'text', value: 'Oi' })).body.code, 'STATE_CONFLICT')
    assert.equal((await app.call({ url: `/cms/blocks/${key}?locale=Pt-bR` })).body.block.value, 'Olá')
    assert.equal((await app.call({ url: `/cms/blocks/${key}?locale=de` })).status, 404)
    const bad = await app.call({ url: `/cms/blocks/${key}?locale=../..` })
    assert.deepEqual([bad.status, bad.body.errors[0].path], [400, '/query/locale'])
  })

  test('the keys asked for are given and no others', async () => {
    const prefix = unique('list')
    for (const name of ['b', 'a', 'c']) await create({ key: `${prefix}.${name}`, type: 'text', value: name })
    const { body } = await app.call({ url: `/cms/blocks?keys=${prefix}.c,${prefix}.a,${prefix}.none` })
    assert.deepEqual(
      body.blocks.map(({ value }: { value: string }) => value),
      ['a', 'c'],
    )
    assert.equal(body.pagination.total, 2)
    for (const keys of ['A', 'a,,b', "';--", 'a'.repeat(201), Array(101).fill('a').join()])
      assert.equal(
        (await app.call({ url: `/cms/blocks?keys=${encodeURIComponent(keys)}` })).status,
        400,
        keys.slice(0, 9),
      )
  })

  test('administrators find blocks by how the key begins and by words, taken literally', async () => {
    const prefix = unique('find')
    await create({ key: `${prefix}.a_b`, type: 'text', value: 'x', description: 'The Headline 100%' })
    await create({ key: `${prefix}.acb`, type: 'text', value: 'x' })
    const keys = async (query: string) =>
      (await app.call({ url: `${blocks}?${query}`, headers: app.admin })).body.blocks.map(
        ({ key }: { key: string }) => key,
      )
    assert.deepEqual(await keys(`prefix=${prefix}.a_`), [`${prefix}.a_b`])
    assert.equal((await keys(`prefix=${prefix}`)).length, 2)
    assert.deepEqual(await keys(`prefix=${prefix}&q=headline%20100%25`), [`${prefix}.a_b`])
    assert.deepEqual(await keys(`prefix=${prefix}&q=_`), [`${prefix}.a_b`])
    assert.deepEqual(await keys(`prefix=${prefix}&type=number`), [])
  })
})

describe('changes of content blocks', () => {
  test('a PUT makes the block, then replaces it, and sent again changes nothing', async () => {
    const key = keyOf()
    const first = await put(key, { type: 'text', value: 'one', description: 'Kept?' })
    assert.deepEqual([first.status, first.body.block.revision], [201, 1])
    app.clock.advance({ ms: 1 })
    const second = await put(key, { type: 'number', value: 2 })
    assert.deepEqual(
      [second.status, second.body.block.revision, second.body.block.description, second.body.block.id],
      [200, 2, null, first.body.block.id],
    )
    const third = await put(key, { type: 'number', value: 2 })
    assert.deepEqual([third.status, third.body.block.revision], [200, 2])
    const actions = (await auditOfTarget(app, first.body.block.id)).map(({ action }) => action)
    assert.deepEqual(actions, ['block.update', 'block.create'])
  })

  test('twenty that put the same key at once leave one block that has counted each of them', async () => {
    const key = keyOf()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, value) => put(key, { type: 'number', value })))
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array(19).fill(200), 201])
    const revisions = replies.map(({ body }) => body.block.revision).sort((a, b) => a - b)
    assert.deepEqual(
      revisions,
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const last = replies.find(({ body }) => body.block.revision === 20)?.body.block.value
    const { blocks: found } = (await app.call({ url: `/cms/blocks?keys=${key}` })).body
    assert.deepEqual(
      found.map(({ value }: { value: number }) => value),
      [last],
    )
  })

  test('of twenty that say which revision they change, one changes it', async () => {
    const { body, headers } = await create({ key: keyOf(), type: 'number', value: -1 })
    const { id, key } = body.block
    const ifMatch = { 'if-match': headers['etag'] ?? '' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, value) =>
        value % 2 === 0 ? change(id, { value }, ifMatch) : put(key, { type: 'number', value }, ifMatch),
      ),
    )
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array(19).fill(412)])
    const now = await app.call({ url: `${blocks}/${id}`, headers: app.admin })
    assert.equal(now.body.block.revision, 2)
    assert.equal(replies.find(({ status }) => status === 412)?.headers['etag'], now.headers['etag'])
  })

  test('what is not there matches no revision, and what is removed is gone for everybody', async () => {
    const key = keyOf()
    assert.equal((await put(key, { type: 'text', value: 'x' }, { 'if-match': '*' })).status, 412)
    const { body, headers } = await create({ key, type: 'text', value: 'x' })
    const url = `${blocks}/${body.block.id}`
    const remove = (ifMatch: string) =>
      app.call({ method: 'DELETE', url, headers: { ...app.admin, 'if-match': ifMatch } })
    assert.equal((await remove('"other"')).status, 412)
    assert.equal((await app.call({ url: `/cms/blocks/${key}` })).status, 200)
    assert.equal((await remove(headers['etag'] ?? '')).status, 204)
    assert.equal((await app.call({ url: `/cms/blocks/${key}` })).status, 404)
    assert.equal((await remove('*')).status, 404)
  })

  test('a key that is none is refused by name', async () => {
    for (const key of ['A', '%2e%2e%2fetc', '.a', 'a%20b', 'a'.repeat(201)]) {
      const reply = await put(key, { type: 'text', value: 'x' })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, '/params/key'], key.slice(0, 20))
    }
  })
})
