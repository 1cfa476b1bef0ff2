import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { generatedText } from '../../../test/harness/generated-text.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type ItemIndex, itemIndex } from './item-index.service.ts'

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

describe('the index', () => {
  let app: TestApp
  let items: ItemIndex

  before(async () => {
    app = await testApp()
    items = itemIndex(app)
  })

  test('counts the terms of what is found, in any order of new versions, moves and removals', async () => {
    const scope = app.scopeOf((await app.tenant()).id)
    const random = seededRandom(17)
    const text = generatedText(17)
    const id = () => newId(app.clock.now())
    const [orgId, ...collections] = [id(), id(), id()]
    const documents = [id(), id(), id(), id()]
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
    for (const table of ['indexed_items', 'indexed_chunks', 'indexed_terms', 'indexed_sources'])
      assert.deepEqual(
        await many(scope, sql`select 1 from ${sql.raw(table)} where tenant_id = ${scope.tenantId}`),
        [],
        table,
      )
  })

  test('finds one version, whichever of several that are published at the same time comes last', async () => {
    const scope = app.scopeOf((await app.tenant()).id)
    const [orgId, itemId, sourceId] = [newId(app.clock.now()), newId(app.clock.now()), newId(app.clock.now())]
    const stage = (version: number) =>
      items.stage(scope, {
        ...{ orgId, itemId, sourceId, version, kind: 'document', title: '', language: 'en' },
        chunks: [{ text: `Version ${version} of the text.`, headings: [], entries: null }],
      })
    const staged = [await stage(1), await stage(2), await stage(3), await stage(4)]
    const publishing = staged.map((id) => transaction(scope, (tx) => items.publish(tx, { id, sourceId })))
    const outcomes = await Promise.allSettled(publishing)
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled'))
    const live = await many(scope, sql`select 1 from indexed_items where tenant_id = ${scope.tenantId} and is_live`)
    assert.equal(live.length, 1)
    assert.deepEqual(await stored(scope), await recounted(scope))
  })
})
