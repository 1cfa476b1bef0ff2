import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { generatedText } from '../../../test/harness/generated-text.ts'
import { knowledgeCalls } from '../../../test/harness/knowledge.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { newId } from '../../kernel/ids.ts'
import { many, run, sql } from '../../storage/query.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type ItemIndex, itemIndex } from './item-index.service.ts'
import type { ItemToIndex } from './item-to-index.ts'

type Counts = { term: string; sourceId: string; chunks: number }[]

const prefixLength = 3

const stored = (scope: TenantScope): Promise<Counts> =>
  many(
    scope,
    sql<Counts[number]>`select term, source_id as "sourceId", chunk_count::int as chunks from indexed_terms
      where tenant_id = ${scope.tenantId} order by source_id, term collate "C"`,
  )

const recounted = (scope: TenantScope): Promise<Counts> =>
  many(
    scope,
    sql<Counts[number]>`select term, source_id as "sourceId", count(*)::int as chunks
      from (select substr(lexeme, ${prefixLength + 1}) as term, i.source_id
        from indexed_items i join indexed_chunks c on c.tenant_id = i.tenant_id and c.indexed_id = i.id, unnest(c.terms)
        where i.tenant_id = ${scope.tenantId} and i.is_live) as found
      group by term, source_id order by source_id, term collate "C"`,
  )

/** The sources whose totals are not those of their chunks. */
const wrongSources = (scope: TenantScope) =>
  many(
    scope,
    sql`select s.source_id from indexed_sources s left join (
        select i.source_id, i.language, count(*) as chunks, sum(c.word_count) as words
        from indexed_items i join indexed_chunks c on c.tenant_id = i.tenant_id and c.indexed_id = i.id
        where i.tenant_id = ${scope.tenantId} and i.is_live group by i.source_id, i.language) as r
      on r.source_id = s.source_id and r.language = s.language
      where s.tenant_id = ${scope.tenantId} and (s.chunk_count is distinct from r.chunks or s.word_count is distinct from r.words)`,
  )

const tables = ['indexed_items', 'indexed_chunks', 'indexed_terms', 'indexed_sources']

async function assertEmpty(scope: TenantScope): Promise<void> {
  for (const table of tables)
    assert.deepEqual(
      await many(scope, sql`select 1 from ${sql.raw(table)} where tenant_id = ${scope.tenantId}`),
      [],
      table,
    )
}

describe('the index', () => {
  let app: TestApp
  let items: ItemIndex

  before(async () => {
    app = await testApp()
    items = itemIndex(app)
  })

  /** An organization with documents that nothing finds. */
  async function library({ documents = 1 } = {}) {
    const tenant = await app.tenant()
    const { id: orgId } = await organizationCalls(app).create(
      await organizationCalls(app).person(await app.apiKey(tenant)),
    )
    const { collection } = knowledgeCalls(app)
    const collections = [await collection(tenant.id, orgId), await collection(tenant.id, orgId)] as const
    const ids = Array.from({ length: documents }, () => newId(app.clock.now()))
    const scope = app.scopeOf(tenant.id)
    await run(
      scope,
      sql`insert into documents (tenant_id, id, org_id, collection_id, title, version, last_version, status, created_at, updated_at)
        select ${tenant.id}, id, ${orgId}, ${collections[0]}, 'A title', 1, 1, 'ready', ${app.clock.now()}, ${app.clock.now()}
        from unnest(${ids}::uuid[]) as id`,
    )
    return { scope, orgId, collections, documents: ids, itemId: ids[0] ?? assert.fail() }
  }

  const erase = (scope: TenantScope, itemId: string) =>
    transaction(scope, async (tx) => {
      await run(tx, sql`delete from documents where tenant_id = ${tx.tenantId} and id = ${itemId}`)
      await items.remove(tx, [itemId])
    })
  const draft = (orgId: string, itemId: string, texts: string[]): ItemToIndex => ({
    ...{ orgId, itemId, sourceId: itemId, version: 1, kind: 'document', title: '', language: 'en' },
    chunks: texts.map((text) => ({ text, headings: [], entries: null })),
  })

  test('counts the terms of what is found, in any order of new versions, moves and removals', async () => {
    const { scope, orgId, collections, documents } = await library({ documents: 4 })
    const random = seededRandom(17)
    const text = generatedText(17)
    const homes = new Map<string, string>()
    for (let step = 0; step < 40; step++) {
      const itemId = random.oneOf(documents)
      const home = homes.get(itemId)
      const action = random.weighted([
        [4, 'publish'],
        [2, 'move'],
        [1, 'remove'],
        [1, 'stage'],
      ] as const)
      const chunks = Array.from({ length: 1 + random.below(14) }, () => ({
        text: text.sentence(),
        headings: [],
        entries: null,
      }))
      const item = {
        orgId,
        sourceId: itemId,
        itemId,
        kind: 'document',
        version: step,
        title: 'A title',
        chunks,
      } as const
      if (action === 'publish' || action === 'stage') {
        const staged = await items.stage(scope, { ...item, language: random.oneOf(['en', 'de', 'und'] as const) })
        assert.ok(staged)
        const sourceId = home ?? random.oneOf(collections)
        if (action === 'publish') {
          await transaction(scope, (tx) => items.publish(tx, { id: staged, sourceId }))
          homes.set(itemId, sourceId)
        }
      } else if (home !== undefined && action === 'move') {
        const toSourceId = random.oneOf(collections)
        await transaction(scope, (tx) => items.move(tx, { itemId, toSourceId }))
        homes.set(itemId, toSourceId)
      } else if (home !== undefined) {
        await transaction(scope, (tx) => items.remove(tx, [itemId]))
        homes.delete(itemId)
      }
      if (step % 8 === 7) assert.deepEqual(await stored(scope), await recounted(scope), `after step ${step}`)
      assert.deepEqual(await wrongSources(scope), [], `after step ${step}`)
    }
    await transaction(scope, (tx) => items.remove(tx, documents))
    await assertEmpty(scope)
  })

  test('finds one version, whichever of several that are published at the same time comes last', async () => {
    const { scope, orgId, itemId, collections } = await library()
    const stage = async (version: number) =>
      (await items.stage(scope, { ...draft(orgId, itemId, [`Version ${version} of the text.`]), version })) ??
      assert.fail()
    const staged = [await stage(1), await stage(2), await stage(3), await stage(4)]
    const publishing = staged.map((id) =>
      transaction(scope, (tx) => items.publish(tx, { id, sourceId: collections[0] })),
    )
    const outcomes = await Promise.allSettled(publishing)
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled'))
    const live = await many(scope, sql`select 1 from indexed_items where tenant_id = ${scope.tenantId} and is_live`)
    assert.equal(live.length, 1)
    assert.deepEqual(await stored(scope), await recounted(scope))
  })
  test('keeps nothing of a document that is erased before, while or after it is stored', async () => {
    const { scope, orgId, documents } = await library({ documents: 3 })
    const [before, meanwhile, after] = documents as [string, string, string]
    const texts = Array.from({ length: 60 }, (_, at) => `Words of chunk number${at} here.`)
    await erase(scope, before)
    assert.equal(await items.stage(scope, draft(orgId, before, texts)), null)
    await Promise.all([items.stage(scope, draft(orgId, meanwhile, texts)), erase(scope, meanwhile)])
    assert.notEqual(await items.stage(scope, draft(orgId, after, texts)), null)
    await erase(scope, after)
    await assertEmpty(scope)
  })

  test('stores nothing of a document of another organization', async () => {
    const { scope, itemId } = await library()
    assert.equal(await items.stage(scope, draft(newId(app.clock.now()), itemId, ['Words.'])), null)
    await assertEmpty(scope)
  })

  test('deletes what was staged when it is given up, and keeps what was published', async () => {
    const { scope, orgId, itemId, collections } = await library()
    const published = (await items.stage(scope, draft(orgId, itemId, ['Words.']))) ?? assert.fail()
    const staged = (await items.stage(scope, draft(orgId, itemId, ['Others.']))) ?? assert.fail()
    await transaction(scope, (tx) => items.publish(tx, { id: published, sourceId: collections[0] }))
    await items.unstage(scope, published)
    await items.unstage(scope, staged)
    assert.deepEqual(await many(scope, sql`select id from indexed_items where tenant_id = ${scope.tenantId}`), [
      { id: published },
    ])
  })
})
