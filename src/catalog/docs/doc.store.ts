import type { Passage } from '../../kernel/markup.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ProductChild } from '../product-child/product-child.rules.ts'
import { productChildStore } from '../product-child/product-child.store.ts'
import type { DocFields, SectionFields } from './doc.rules.ts'
import { extractWords, type parseSearchQuery } from './search.rules.ts'

export const sectionStore = productChildStore<SectionFields>({
  name: 'doc_sections',
  orderBy: sql`position, id`,
  columns: {
    parentId: ['parent_id', 'uuid'],
    slug: ['slug', 'text'],
    title: ['title', 'text'],
    order: ['position', 'integer'],
  },
})

export const docStore = productChildStore<DocFields>({
  name: 'product_docs',
  orderBy: sql`position, id`,
  columns: {
    sectionId: ['section_id', 'uuid'],
    slug: ['slug', 'text'],
    title: ['title', 'text'],
    summary: ['summary', 'text'],
    markdown: ['markdown', 'text'],
    html: ['html', 'text'],
    toc: ['toc', 'jsonb'],
    passages: ['passages', 'jsonb'],
    wordCount: ['word_count', 'integer'],
    order: ['position', 'integer'],
    status: ['status', 'text'],
    seo: ['seo', 'jsonb'],
    publishedAt: ['published_at', 'timestamptz'],
    editedBy: ['edited_by', 'text'],
  },
})

/** A doc without its texts. */
export type DocLine = Omit<ProductChild<DocFields>, 'markdown' | 'html' | 'toc' | 'passages'>

const lineColumns = sql`id, product_id as "productId", section_id as "sectionId", slug, title, summary, word_count as "wordCount",
  position as "order", status, seo, published_at as "publishedAt", edited_by as "editedBy", revision,
  created_at as "createdAt", updated_at as "updatedAt"`

export async function listDocLines(
  platform: PlatformScope,
  productId: string,
  page: PageRequest,
): Promise<Page<DocLine>> {
  return listPage<DocLine>(platform, page, {
    columns: lineColumns,
    from: sql`from product_docs where product_id = ${productId}`,
    orderBy: sql`position, id`,
  })
}

/** Includes drafts. */
export async function listDocIds(tx: PlatformScope, productId: string): Promise<string[]> {
  const docs = await many(
    tx,
    sql<{ id: string }>`select id from product_docs where product_id = ${productId} order by id`,
  )
  return docs.map(({ id }) => id)
}

export function listPublishedDocs(platform: PlatformScope, productIds: string[]): Promise<DocLine[]> {
  return many(
    platform,
    sql<DocLine>`select ${lineColumns} from product_docs
      where product_id = any(${productIds}::uuid[]) and status = 'PUBLISHED' order by position, id`,
  )
}

export type Section = {
  id: string
  productId: string
  parentId: string | null
  slug: string
  title: string
  order: number
}

export function listSections(platform: PlatformScope, productIds: string[]): Promise<Section[]> {
  return many(
    platform,
    sql<Section>`select id, product_id as "productId", parent_id as "parentId", slug, title, position as "order"
      from doc_sections where product_id = any(${productIds}::uuid[]) order by position, id`,
  )
}

export async function hasDocs(tx: PlatformScope, productId: string): Promise<boolean> {
  const row = await maybeOne(
    tx,
    sql`select 1 where exists (select 1 from product_docs where product_id = ${productId})
      or exists (select 1 from doc_sections where product_id = ${productId})`,
  )
  return row !== null
}

type PublicText = Pick<DocFields, 'markdown' | 'html' | 'toc'>

export function findPublishedText(platform: PlatformScope, docId: string): Promise<PublicText | null> {
  return maybeOne(
    platform,
    sql<PublicText>`select markdown, html, toc from product_docs where id = ${docId} and status = 'PUBLISHED'`,
  )
}

export function listPublishedMarkdown(
  platform: PlatformScope,
  productId: string,
): Promise<{ id: string; markdown: string }[]> {
  return many(
    platform,
    sql<{ id: string; markdown: string }>`select id, markdown from product_docs
      where product_id = ${productId} and status = 'PUBLISHED'`,
  )
}

// A tsvector holds 1 MB: this many characters of one to four bytes fit twice, stemmed and as written.
const searchedLengthMax = 80_000

/** Indexes words stemmed, so that `license` finds `licenses`, and as written, so that incomplete words match. */
export async function indexDoc(
  tx: PlatformScope,
  id: string,
  { title, passages }: Pick<DocFields, 'title' | 'passages'>,
): Promise<void> {
  const headings = passages
    .map(({ heading }) => heading)
    .join('\n')
    .slice(0, searchedLengthMax)
  const body = passages
    .map(({ text }) => text)
    .join('\n')
    .slice(0, searchedLengthMax - headings.length)
  const weightedVector = (text: string, weight: 'A' | 'B' | 'D') => {
    const words = extractWords(text)
    const vector = sql`to_tsvector('english', ${words}::text) || to_tsvector('simple', ${words}::text)`
    return sql`setweight(${vector}, ${sql.raw(`'${weight}'`)})`
  }
  await run(
    tx,
    sql`update product_docs set search = ${weightedVector(title, 'A')} || ${weightedVector(headings, 'B')} || ${weightedVector(body, 'D')}
      where id = ${id}`,
  )
}

export type SearchHit = { id: string; slug: string; title: string; passages: Passage[]; score: number; stems: string[] }

/** The published docs that match a parsed query, best first. */
export function searchDocs(
  platform: PlatformScope,
  {
    productId,
    limit,
    webQuery,
    queryBefore,
    incompleteWord,
  }: ReturnType<typeof parseSearchQuery> & { productId: string; limit: number },
): Promise<SearchHit[]> {
  const whole = sql`websearch_to_tsquery('english', ${webQuery}::text)`
  const withIncomplete = sql`${whole} || (websearch_to_tsquery('english', ${queryBefore}::text) && to_tsquery('simple', ${`${incompleteWord}:*`}::text))`
  return many(
    platform,
    sql<SearchHit>`with parsed as materialized (select ${incompleteWord === null ? whole : withIncomplete} as query)
      select id, slug, title, passages, ts_rank(search, parsed.query)::float8 as score,
        tsvector_to_array(to_tsvector('english', ${webQuery}::text)) as stems
      from product_docs, parsed where product_id = ${productId} and status = 'PUBLISHED' and search @@ parsed.query
      order by score desc, position, id limit ${limit}`,
  )
}
