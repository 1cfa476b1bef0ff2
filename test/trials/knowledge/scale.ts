import { monitorEventLoopDelay } from 'node:perf_hooks'
import { anyOf, lexemePrefix, quoteLexeme } from '../../../src/knowledge/search-index/lexeme.rules.ts'
import type { Language } from '../../../src/retrieval/language/language.ts'
import { questionTerms } from '../../../src/retrieval/query/query-terms.ts'
import { many, run, sql } from '../../../src/storage/query.ts'
import type { TenantScope } from '../../../src/storage/scope.ts'
import { type TestApp, testApp } from '../../harness/app.ts'
import { generatedText } from '../../harness/generated-text.ts'
import { knowledgeCalls, paragraph } from '../../harness/knowledge.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import type { Row } from '../row.ts'

const chunksOfDocument = 50
const rounds = 60

/** How long searches and questions take beside ever more that can be found. */
export async function scale(sizes: readonly number[]): Promise<Row[]> {
  const app = await testApp()
  const text = generatedText(3)
  const { add, ask, search, bare } = await library(app, text)
  const rows: Row[] = []
  let chunks = 0
  for (const size of sizes) {
    const startedAt = performance.now()
    const before = chunks
    for (; chunks < size; chunks += chunksOfDocument) await add()
    const chunksPerSecond = Math.round(((chunks - before) * 1000) / (performance.now() - startedAt))
    await run(app.platform, sql`analyze`)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const asks = await timed(() => ask(text.question()))
    const searches = await timed(() => search(text.words(2)))
    const common = await timed(() => search('the'))
    delay.disable()
    const bareQueries = await timed(() => bare(text.question()))
    rows.push({
      chunks,
      chunksPerSecond,
      ...named('ask', asks),
      ...named('bare BM25', bareQueries),
      ...named('search', searches),
      ...named('common', common),
      'loop p99 ms': Math.round(delay.percentile(99) / 1e5) / 10,
      'loop longest ms': Math.round(delay.max / 1e5) / 10,
      broken: '',
    })
  }
  await app.app.server.close()
  return rows
}

const named = (name: string, { p50, p95 }: { p50: number; p95: number }) => ({
  [`${name} p50 ms`]: p50,
  [`${name} p95 ms`]: p95,
})

async function timed(work: () => Promise<unknown>) {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(share * rounds)] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}

async function library(app: TestApp, text: ReturnType<typeof generatedText>) {
  const knowledge = knowledgeCalls(app)
  const organizations = organizationCalls(app)
  const { id: tenantId, ...tenant } = await app.tenant()
  const key = await app.apiKey({ id: tenantId, ...tenant })
  const owner = await organizations.person(key)
  const { id: orgId } = await organizations.create(owner)
  const collectionId = await knowledge.collection(tenantId, orgId)
  return {
    add: () => {
      const blocks = Array.from({ length: chunksOfDocument }, () => paragraph(text.paragraph()))
      return knowledge.document({ tenantId, orgId, collectionId, title: text.words(3), blocks })
    },
    ask: (question: string) => knowledge.ask(owner, orgId, question),
    search: (q: string) => knowledge.search(owner, orgId, q),
    bare: (question: string) => bareBm25(app.scopeOf(tenantId), orgId, question),
  }
}

/**
 * The ten best chunks by BM25 alone, of all that have one of the question's words: one statement, no rights and no texts. Each word
 * counts once for a chunk, because PostgreSQL tells how often only with all other words of the chunk, which takes longer than a statement
 * may.
 */
async function bareBm25(scope: TenantScope, orgId: string, question: string): Promise<void> {
  const languages = await many(
    scope,
    sql<{ language: Language }>`select distinct language from indexed_sources
      where tenant_id = ${scope.tenantId} and org_id = ${orgId}`,
  )
  const terms = questionTerms(
    question,
    languages.map(({ language }) => language),
  )
  const forms = terms.filter(({ isCommon }) => !isCommon).flatMap((term) => term.forms)
  const lexemes = forms.map((form) => lexemePrefix(orgId) + form)
  await many(
    scope,
    sql`with total as (
        select sum(chunk_count)::float8 as chunks, sum(word_count)::float8 / sum(chunk_count) as length from indexed_sources
        where tenant_id = ${scope.tenantId} and org_id = ${orgId}
      ), asked as materialized (
        select f.query::tsquery as query, ln(1 + (total.chunks - sum(t.chunk_count) + 0.5) / (sum(t.chunk_count) + 0.5)) as rarity
        from unnest(${forms}::text[], ${lexemes.map(quoteLexeme)}::text[]) f (term, query), indexed_terms t, total
        where t.tenant_id = ${scope.tenantId} and t.org_id = ${orgId} and t.term = f.term
        group by f.query, total.chunks
      )
      select c.indexed_id, c.ordinal, words.rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * c.word_count / total.length)) as score
      from indexed_chunks c, total, lateral (select sum(rarity) as rarity from asked where c.terms @@ query) words
      where c.tenant_id = ${scope.tenantId} and c.org_id = ${orgId} and c.terms @@ ${anyOf(lexemes)}::tsquery
      order by score desc limit 10`,
  )
}
