import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { vector } from '@electric-sql/pglite-pgvector'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import {
  answer,
  type EmbeddingServer,
  embedding,
  embeds,
  startEmbeddingServer,
} from '../../../test/harness/embedding-server.ts'
import { knowledgeCalls } from '../../../test/harness/knowledge.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { mintPlatformScope } from '../../storage/mint.ts'
import { many, run, sql } from '../../storage/query.ts'

let server: EmbeddingServer
let app: TestApp

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const endpoint = () => ({ baseUrl: server.baseUrl, apiKey: null, model: 'test' })

before(async () => {
  server = await startEmbeddingServer()
  app = await testApp({ embeddings: endpoint() })
})
beforeEach(() => server.behave(embeds))
after(() => server.close())

/** An organization with two documents, of which one speaks of a dog in other words. */
async function library(on = app) {
  const key = await on.apiKey(await on.tenant())
  const owner = await organizationCalls(on).person(key)
  const { id: orgId } = await organizationCalls(on).create(owner)
  const documents = documentCalls(on, orgId)
  const { id: hound } = await documents.ready(owner, 'Each hound needs a collar.', { title: 'Animals' })
  const { id: house } = await documents.ready(owner, 'The building has four floors.', { title: 'Rooms' })
  await on.settled()
  const knowledge = knowledgeCalls(on)
  const search = (q: string, user = owner) => knowledge.search(user, orgId, q)
  const find = async (q: string, user = owner) =>
    (await search(q, user)).results.map(
      (it: { documentId: string | null; meetingId: string | null }) => it.documentId ?? it.meetingId,
    )
  const vectors = async () =>
    (await many(on.platform, sql`select 1 from indexed_vectors where tenant_id = ${key.tenantId}`)).length
  return { key, owner, orgId, documents, hound, house, search, find, vectors }
}

/** The circuit breaker of the endpoint asks it again. */
const pauseIsOver = () => app.clock.advance({ seconds: 61 })

describe('search with vectors', () => {
  test('finds what means the same in other words, and quotes it', async () => {
    const { hound, house, search, find } = await library()
    assert.deepEqual((await find('puppy'))[0], hound)
    assert.deepEqual((await find('home'))[0], house)
    const { results } = await search('puppy')
    assert.match(results[0].snippet, /Each hound needs a collar\./)
  })

  test('finds what was said in a meeting by its meaning', async () => {
    const { owner, orgId, find } = await library()
    const transcript = [said('The automobile is late.')]
    const { id } = await meetingCalls(app).create(owner, { orgId, transcript })
    app.clock.advance({ seconds: 60 })
    await app.settled()
    await app.settled()
    assert.equal((await find('vehicle'))[0], id)
  })

  test('finds nothing that the reader may not read, and adds nothing to a phrase or an exclusion', async () => {
    const { key, orgId, owner, documents, hound, find } = await library()
    const member = await organizationCalls(app).add(key, orgId, 'member')
    const closed = await documents.collection(owner, { access: 'restricted' })
    const { id: hidden } = await documents.ready(owner, 'A dog barks.', { title: 'Secret', collectionId: closed.id })
    await app.settled()
    assert.equal((await find('puppy', member))[0], hound)
    assert.ok(!(await find('puppy', member)).includes(hidden))
    assert.ok((await find('puppy')).includes(hidden))
    assert.deepEqual([await find('"puppy"'), await find('puppy -cat')], [[], []])
  })

  test('finds by words alone while the endpoint misbehaves, and answers in time', async () => {
    const { hound, owner, search } = await library()
    server.behave((reply) => answer(reply, {}, 500))
    const { results } = await search('hound collar')
    assert.deepEqual(
      results.map((it: { documentId: string }) => it.documentId),
      [hound],
    )
    const expected = JSON.stringify(results)
    const numbers = embedding('hound')
    const misbehaviours: Record<string, Parameters<typeof server.behave>[0]> = {
      'never answers': () => undefined,
      'is too busy': (reply) => answer(reply, {}, 429),
      'refuses the key': (reply) => answer(reply, {}, 401),
      'sends no JSON': (reply) => answer(reply, '<html>'),
      'sends no list': (reply) => answer(reply, { data: 'none' }),
      'sends nothing': (reply) => answer(reply, { data: [] }),
      'sends two vectors': (reply) => answer(reply, { data: [{ embedding: numbers }, { embedding: numbers }] }),
      'sends another length': (reply) => answer(reply, { data: [{ embedding: numbers.slice(1) }] }),
      'sends NaN': (reply) => answer(reply, `{"data":[{"embedding":[${numbers.map(() => 'NaN')}]}]}`),
      'sends infinity': (reply) => answer(reply, `{"data":[{"embedding":[1e999${',1'.repeat(63)}]}]}`),
      'sends zeros': (reply) => answer(reply, { data: [{ embedding: numbers.map(() => 0) }] }),
      'sends words': (reply) => answer(reply, { data: [{ embedding: numbers.map(String) }] }),
      'sends too much': (reply) => answer(reply, `{"data":[${' '.repeat(5_000_000)}]}`),
      'ends the connection': (reply) => void reply.destroy(),
    }
    for (const [name, behaviour] of Object.entries(misbehaviours)) {
      pauseIsOver()
      const user = await meetingCalls(app).again(owner)
      server.behave(behaviour)
      const startedMs = performance.now()
      assert.equal(JSON.stringify((await search('hound collar', user)).results), expected, name)
      assert.ok(performance.now() - startedMs < 5_000, name)
    }
    pauseIsOver()
  })
})

// The extension is real, built for the embedded database; npm has none for a server.
describe('search with pgvector', { skip: isServer && 'of PGlite' }, () => {
  test('compares by its operator once it is installed, and does without it once it is gone', async (t) => {
    const database = await freshDatabase({ extensions: { vector } })
    t.after(() => database.close())
    const { hound, find } = await library(await testApp({ database, embeddings: endpoint() }))
    assert.equal((await find('puppy'))[0], hound)
    await run(mintPlatformScope(database.handle, systemCaller), sql`create extension vector`)
    assert.equal((await find('puppy'))[0], hound)
    await run(mintPlatformScope(database.handle, systemCaller), sql`drop extension vector`)
    // By words alone, and the next time without the extension.
    assert.deepEqual(await find('puppy'), [])
    assert.equal((await find('puppy'))[0], hound)
  })
})

describe('a vector', () => {
  test('is made once the endpoint answers, and goes with its document', async () => {
    server.behave((reply) => answer(reply, {}, 500))
    const { owner, documents, hound, house, find, vectors } = await library()
    assert.equal(await vectors(), 0)
    server.behave(embeds)
    app.clock.advance({ seconds: 300 })
    await app.settled()
    assert.deepEqual([await vectors(), (await find('puppy'))[0]], [2, hound])
    for (const id of [hound, house]) await documents.call(owner, 'DELETE', `/documents/${id}`)
    assert.equal(await vectors(), 0)
  })

  test('is made again where it is missing, and only there', async () => {
    const { key, vectors } = await library()
    const { tenantId } = key
    const scope = app.scopeOf(tenantId)
    await many(scope, sql`delete from indexed_vectors where tenant_id = ${tenantId}`)
    await many(scope, sql`update indexed_items set vector_model = 'old' where tenant_id = ${tenantId}`)
    await app.app.housekeep('knowledge.')
    await app.settled()
    assert.equal(await vectors(), 2)
    const requested = server.texts.length
    await app.app.housekeep('knowledge.')
    await app.settled()
    assert.equal(server.texts.length, requested)
  })
})
