import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { generatedText } from '../../../test/harness/generated-text.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { searchableTranscripts } from '../../meetings/transcripts/searchable-transcript.ts'
import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { itemIndex } from './item-index.service.ts'
import { transcriptIndex } from './transcript-index.service.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

/** A live meeting of an organization. */
async function liveMeeting() {
  const tenant = await app.tenant()
  const owner = await organizationCalls(app).person(await app.apiKey(tenant))
  const { id: orgId } = await organizationCalls(app).create(owner)
  const meetings = meetingCalls(app)
  const { id } = await meetings.create(owner, { orgId })
  const scope = app.scopeOf(tenant.id)
  await run(scope, sql`update meetings set status = 'active' where tenant_id = ${tenant.id} and id = ${id}`)
  const index = transcriptIndex({ items: itemIndex(app), transcripts: searchableTranscripts })
  return {
    scope,
    append: async (entries: ReturnType<typeof said>[]) =>
      assert.ok((await meetings.append(owner, id, entries)).status < 300),
    rename: (title: string) => meetings.call(owner, 'PATCH', `/${id}`, { body: { title } }),
    index: () => index(scope, id),
    end: () => run(scope, sql`update meetings set status = 'completed' where tenant_id = ${tenant.id} and id = ${id}`),
    /** The next run indexes the whole. */
    forget: () => run(scope, sql`update indexed_items set last_change = null where tenant_id = ${tenant.id}`),
  }
}

/** Everything that is indexed, without ids. */
async function indexed(scope: TenantScope): Promise<unknown> {
  const read = (columns: string, from: string) =>
    many(
      scope,
      sql`select ${sql.raw(columns)} from ${sql.raw(from)} where t.tenant_id = ${scope.tenantId} order by 1, 2`,
    )
  return {
    items: await read('kind, version, language, chunk_count, word_count, terms, last_change', 'indexed_items t'),
    chunks: await read(
      'ordinal, terms::text as terms, word_count, entry_seqs::text as seqs, entry_starts, entry_ends',
      'indexed_chunks t',
    ),
    terms: await read('term collate "C" as term, chunk_count', 'indexed_terms t'),
    sources: await read('language, chunk_count, word_count', 'indexed_sources t'),
  }
}

const itemIds = async (scope: TenantScope) =>
  many(scope, sql`select id from indexed_items where tenant_id = ${scope.tenantId} and is_live`)

describe('the index of a live transcript', () => {
  test('is the same as if the whole was indexed, whatever was appended and replaced', async () => {
    const { scope, append, index, forget } = await liveMeeting()
    const { below } = seededRandom(5)
    const text = generatedText(5)
    await append(Array.from({ length: 30 }, (_, n) => said(text.sentence(), { segmentId: `s${n}` })))
    await index()
    const first = await itemIds(scope)
    for (let round = 0; round < 6; round++) {
      const added = Array.from({ length: 1 + below(5) }, (_, n) =>
        // Longer than a chunk, so that chunks begin within entries.
        said(`${text.paragraph()} ${text.paragraph()}`, { segmentId: `r${round}-${n}` }),
      )
      // In some rounds an older entry comes again, as those of a running recognition do.
      const replaced = round % 3 === 1 ? [said(text.sentence(), { segmentId: `s${below(30)}` })] : []
      await append([...replaced, ...added])
      await index()
      const extended = await indexed(scope)
      assert.deepEqual(await itemIds(scope), first)
      await index()
      assert.deepEqual(await indexed(scope), extended)
      if (round % 3 !== 2) continue
      await forget()
      await index()
      assert.deepEqual(await indexed(scope), extended)
      first.splice(0, 1, ...(await itemIds(scope)))
    }
  })

  test('is extended at the end too, as an index of the whole would keep others that end waiting', async () => {
    const { scope, append, end, index, forget } = await liveMeeting()
    const text = generatedText(8)
    await append(Array.from({ length: 30 }, () => said(text.paragraph())))
    await index()
    const first = await itemIds(scope)
    await append([said('The zeppelin departs.')])
    await end()
    await index()
    assert.deepEqual(await itemIds(scope), first)
    const extended = await indexed(scope)
    assert.match(JSON.stringify(extended), /zeppelin/)
    await forget()
    await index()
    assert.deepEqual(await indexed(scope), extended)
  })

  test('is made anew at the end where its first words seemed to be of another language', async () => {
    const { scope, append, end, index } = await liveMeeting()
    const languages = async () =>
      (
        await many(
          scope,
          sql<{ language: string }>`select language from indexed_items where tenant_id = ${scope.tenantId}`,
        )
      ).map(({ language }) => language)
    await append([said('The people of the house are here and they have all that they want to have.')])
    await index()
    assert.deepEqual(await languages(), ['en'])
    const german =
      'Das ist nicht so einfach, wie wir es uns am Anfang vorgestellt haben, und deshalb müssen wir noch warten.'
    await append(Array.from({ length: 40 }, () => said(german)))
    await end()
    await index()
    assert.deepEqual(await languages(), ['de'])
  })

  test('is made anew where the title has changed, and where very much was said', async () => {
    const { scope, append, rename, index } = await liveMeeting()
    const text = generatedText(6)
    await append([said('The zeppelin is late.')])
    await index()
    const first = await itemIds(scope)
    await rename('Balloons')
    await index()
    const renamed = await itemIds(scope)
    assert.notDeepEqual(renamed, first)
    await append(Array.from({ length: 80 }, () => said(text.paragraph())))
    await index()
    assert.notDeepEqual(await itemIds(scope), renamed)
  })
})
