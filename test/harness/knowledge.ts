import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { newId } from '../../src/kernel/ids.ts'
import { documentIndex } from '../../src/knowledge/search-index/document-index.ts'
import { itemIndex } from '../../src/knowledge/search-index/item-index.service.ts'
import { cutDocument } from '../../src/retrieval/chunks/cut-document.ts'
import { detectLanguage } from '../../src/retrieval/language/detect-language.ts'
import type { TextBlock } from '../../src/retrieval/text-block.ts'
import { run, sql } from '../../src/storage/query.ts'
import { transaction } from '../../src/storage/scope.ts'
import type { TestApp, TestUser } from './app.ts'

export const heading = (text: string, level = 1, page: number | null = null): TextBlock => ({
  kind: 'heading',
  level,
  page,
  text,
})
export const paragraph = (text: string, page: number | null = null): TextBlock => ({
  kind: 'paragraph',
  level: null,
  page,
  text,
})

type NewCollection = { access?: 'open' | 'restricted'; readers?: TestUser[] }
type NewDocument = {
  orgId: string
  tenantId: string
  collectionId: string
  title?: string
  blocks: TextBlock[]
  at?: Date
}

/** Short forms of searching and asking; documents are stored as an extraction leaves them, without a file. */
export function knowledgeCalls(app: TestApp) {
  const searchIndex = documentIndex(itemIndex(app))
  const call = (user: TestUser, method: string, path: string, rest: { body?: unknown; headers?: object } = {}) =>
    app.call({
      method,
      url: `/assistant/v1${path}`,
      headers: { authorization: `Bearer ${user.accessToken}`, ...rest.headers },
      ...(rest.body === undefined ? {} : { body: rest.body }),
    })
  const expected = async (reply: ReturnType<typeof call>) => {
    const { status, body } = await reply
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  async function collection(tenantId: string, orgId: string, { access = 'open', readers = [] }: NewCollection = {}) {
    const id = newId(app.clock.now())
    const now = app.clock.now()
    await run(
      app.platform,
      sql`insert into collections (tenant_id, id, org_id, name, access, is_default, created_at, updated_at)
        values (${tenantId}, ${id}, ${orgId}, ${`Collection ${id}`}, ${access}, false, ${now}, ${now})`,
    )
    for (const { id: userId } of readers)
      await run(
        app.platform,
        sql`insert into collection_members (tenant_id, collection_id, org_id, user_id, access)
          values (${tenantId}, ${id}, ${orgId}, ${userId}, 'read')`,
      )
    return id
  }

  /** A document that is ready. Returns its id and its text. */
  async function document({
    tenantId,
    orgId,
    collectionId,
    title = 'Handbook',
    blocks,
    at = app.clock.now(),
  }: NewDocument) {
    const scope = app.scopeOf(tenantId)
    const id = newId(app.clock.now())
    const chunks = cutDocument(blocks)
    const sha256 = createHash('sha256').update(id).digest('hex')
    await run(
      scope,
      sql`insert into documents (tenant_id, id, org_id, collection_id, title, version, last_version, status, created_at, updated_at)
        values (${tenantId}, ${id}, ${orgId}, ${collectionId}, ${title}, 1, 1, 'ready', ${at}, ${at})`,
    )
    await run(
      scope,
      sql`insert into document_versions (tenant_id, document_id, version, filename, type, mime_type, size, sha256, status, extraction_id,
          created_at, indexed_at)
        values (${tenantId}, ${id}, 1, 'a.md', 'markdown', 'text/markdown', 1, ${sha256}, 'ready', ${id}, ${at}, ${at})`,
    )
    for (const [ordinal, { text, start, page, headings }] of chunks.entries())
      await run(
        scope,
        sql`insert into document_chunks (tenant_id, document_id, version, ordinal, start_at, page, headings, text)
          values (${tenantId}, ${id}, 1, ${ordinal}, ${start}, ${page}, ${headings}::text[], ${text})`,
      )
    const text = chunks.map((chunk) => chunk.text).join('')
    const language = detectLanguage(text)
    const staged = await searchIndex.stage(scope, {
      orgId,
      documentId: id,
      version: 1,
      title,
      language,
      chunks,
    })
    assert.ok(staged)
    await transaction(scope, (tx) => searchIndex.publish(tx, { ...staged, collectionId }))
    return { id, text }
  }

  return {
    call,
    searchIndex,
    collection,
    document,
    search: (user: TestUser, orgId: string, q: string, query: Record<string, string> = {}) =>
      expected(call(user, 'GET', `/orgs/${orgId}/search?${new URLSearchParams({ q, ...query })}`)),
    ask: (user: TestUser, orgId: string, question: string, rest: Record<string, unknown> = {}) =>
      expected(call(user, 'POST', `/orgs/${orgId}/ask`, { body: { question, ...rest } })),
  }
}
