import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp, testBlobs } from '../../../test/harness/app.ts'
import { catchUp } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { hostileDocuments } from '../../../test/harness/hostile-documents.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { pdfFile, pdfLines } from '../../../test/harness/pdf-file.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { many, one, run, sql } from '../../storage/query.ts'
import { lostExtractions } from './lost-extractions.service.ts'
import { progressReport } from './progress-report.ts'

let app: TestApp
let orgs: ReturnType<typeof organizationCalls>

before(async () => {
  app = await testApp()
  orgs = organizationCalls(app)
})

const unique = () => `Words number ${crypto.randomUUID()}.`
const path = ({ id }: { id: string }) => `/documents/${id}`

/** A tenant with an organization of its own. */
async function organization(limits: Record<string, number> = {}, on: TestApp = app) {
  const tenant = await on.tenant({ limits })
  const key = await on.apiKey(tenant)
  const orgs = organizationCalls(on)
  const user = await orgs.person(key)
  const { id } = await orgs.create(user)
  return { tenant, key, user, orgId: id, calls: documentCalls(on, id) }
}

type Stored = { bytes: number; documents: number }

/** What is counted, and what is there. */
async function storage({ id }: { id: string }, { platform } = app): Promise<{ counted: Stored; stored: Stored }> {
  const counted = await one(
    platform,
    sql<Stored>`select document_bytes as bytes, document_count as documents from tenant_storage where tenant_id = ${id}`,
  )
  const stored = await one(
    platform,
    sql<Stored>`select
        (select coalesce(sum(size + text_bytes), 0)::bigint from document_versions
          where tenant_id = ${id} and status <> 'failed') as bytes,
        (select count(*) from documents where tenant_id = ${id} and status <> 'failed') as documents`,
  )
  return { counted, stored }
}

const pagesUsed = async ({ id }: { id: string }): Promise<number> =>
  (
    await one(
      app.platform,
      sql<{ pages: number }>`select coalesce(sum(amount), 0)::int as pages from usage_counters
        where tenant_id = ${id} and meter = 'documentPages' and span = 'month' and scope = 'tenant'`,
    )
  ).pages

describe('reading a document', () => {
  test('counts its pages once, a restored version never, and fails above the limit until there is room', async () => {
    const { tenant, user, calls } = await organization()
    const first = await calls.ready(user, unique())
    await calls.call(user, 'POST', `${path(first)}/versions`, { body: { text: unique() } })
    await app.settled()
    await calls.call(user, 'POST', `${path(first)}/versions/1/restore`)
    await app.settled()
    assert.equal((await calls.get(user, first.id)).version, 3)
    assert.equal(await pagesUsed(tenant), 2)
    await overrideLimit(app, tenant.id, 'documentPages', { hard: 2 })
    const refused = await calls.add(user, unique())
    await app.settled()
    const failed = await calls.get(user, refused.id)
    assert.deepEqual([failed.status, failed.failure.code], ['failed', 'USAGE_EXCEEDED'])
    assert.match(failed.failure.detail, /documentPages/)
    const { counted, stored } = await storage(tenant)
    assert.deepEqual(counted, stored)
    await overrideLimit(app, tenant.id, 'documentPages', { hard: 3 })
    assert.equal((await calls.call(user, 'POST', `${path(refused)}/retry`)).status, 202)
    await app.settled()
    assert.equal((await calls.get(user, refused.id)).status, 'ready')
    assert.equal(await pagesUsed(tenant), 3)
  })

  test('reads a new version that failed above the limit again, while the current one stays', async () => {
    const { tenant, user, calls } = await organization()
    const document = await calls.ready(user, 'The first text.')
    const retry = () => calls.call(user, 'POST', `${path(document)}/retry`)
    assert.equal((await retry()).body.code, 'STATE_CONFLICT')
    await overrideLimit(app, tenant.id, 'documentPages', { hard: 1 })
    await calls.call(user, 'POST', `${path(document)}/versions`, { body: { text: 'The second text.' } })
    await app.settled()
    const states = async () => {
      const { body } = await calls.call(user, 'GET', `${path(document)}/versions`)
      return body.versions.map(({ status }: { status: string }) => status)
    }
    assert.deepEqual(await states(), ['failed', 'ready'])
    await overrideLimit(app, tenant.id, 'documentPages', { hard: 2 })
    const retried = await retry()
    assert.deepEqual([retried.status, retried.body.document.status, retried.body.document.version], [202, 'ready', 1])
    assert.deepEqual(await states(), ['queued', 'ready'])
    assert.equal((await retry()).body.code, 'STATE_CONFLICT')
    await app.settled()
    const { status, version } = await calls.get(user, document.id)
    assert.deepEqual([status, version, await calls.text(user, document.id)], ['ready', 2, 'The second text.'])
    assert.equal(await pagesUsed(tenant), 2)
    const { counted, stored } = await storage(tenant)
    assert.deepEqual(counted, stored)
  })

  test('keeps the pages of a PDF, also one with the name of a text, and counts each of them', async () => {
    const { tenant, user, calls } = await organization()
    // Lines that are alike on each page would be its header.
    const pages = ['Apples grow on trees.', 'In winter bears sleep.', 'Nobody knows why.'].map((line) =>
      pdfLines([line]),
    )
    const { body } = await calls.upload(user, { bytes: pdfFile(pages), name: 'paper.txt', type: 'text/plain' })
    await app.settled()
    const document = await calls.get(user, body.document.id)
    assert.deepEqual([document.status, document.mimeType, document.pages], ['ready', 'application/pdf', 3])
    assert.equal(await pagesUsed(tenant), 3)
    const chunks = await many(
      app.platform,
      sql<{ page: number }>`select page from document_chunks where document_id = ${document.id} order by ordinal`,
    )
    assert.deepEqual(
      chunks.map(({ page }) => page),
      [1, 2, 3],
    )
  })

  test('tells how many pages were read so far', async () => {
    const { tenant, user, calls } = await organization()
    const document = await calls.add(user, unique())
    await run(
      app.platform,
      sql`update document_versions set status = 'extracting', pages_read = 3, page_total = 9 where tenant_id = ${tenant.id}`,
    )
    assert.deepEqual((await calls.get(user, document.id)).progress, { pagesRead: 3, pages: 9 })
    await app.settled()
    assert.equal((await calls.get(user, document.id)).progress, null)
  })

  test('saves its progress one after another, and goes on when it cannot be saved', async () => {
    const saved: number[] = []
    const report = progressReport(async ({ read }) => {
      saved.push(read)
      throw new Error('The database is away.')
    })
    for (let page = 1; page <= 100; page++) report.onPage(page, 100)
    await report.settled()
    assert.deepEqual(saved, [1])
  })

  test('ends as failed when three tries have failed, and gives back what was counted', async () => {
    const blobs = await testBlobs()
    catchUp(app.clock)
    // Of its own: otherwise a node of another test reads the document, whose store is not away.
    const database = await freshDatabase()
    const broken = await testApp({
      database,
      blobs: {
        ...blobs,
        open: async () => {
          throw new Error('The store is away.')
        },
      },
      clock: app.clock,
    })
    const { tenant, user, orgId, calls } = await organization({}, broken)
    const document = await calls.add(user, unique())
    for (let attempt = 0; attempt < 4; attempt++) {
      await broken.settled()
      catchUp(app.clock)
      app.clock.advance({ seconds: 60 })
    }
    const failed = await calls.get(user, document.id)
    assert.deepEqual([failed.status, failed.failure.code], ['failed', 'TOO_MUCH'])
    assert.deepEqual(await storage(tenant, broken), {
      counted: { bytes: 0, documents: 0 },
      stored: { bytes: 0, documents: 0 },
    })
    const mended = await testApp({ database, clock: app.clock })
    const whole = documentCalls(mended, orgId)
    assert.equal((await whole.call(user, 'POST', `${path(document)}/retry`)).status, 202)
    await mended.settled()
    assert.equal((await whole.get(user, document.id)).status, 'ready')
    await database.close()
  })

  test('has three tries when it takes too long, each behind the documents that wait', async () => {
    const opened: string[] = []
    const blobs = await testBlobs()
    const open: typeof blobs.open = (sha256) => {
      opened.push(sha256)
      return blobs.open(sha256)
    }
    const database = await freshDatabase()
    const hurried = await testApp({ database, blobs: { ...blobs, open }, reading: { timeoutMs: 3000 } })
    const { tenant, user, calls } = await organization({}, hurried)
    const hostile = hostileDocuments.find(({ isSlow }) => isSlow)
    assert.ok(hostile)
    const sent = await calls.upload(user, { bytes: Buffer.from(hostile.make()), name: `slow.${hostile.type}` })
    const slow = sent.body.document
    const quick = await calls.add(user, unique())
    await hurried.settled()
    // On a busy machine the other may take too long, too.
    assert.equal(opened[1], quick.sha256)
    assert.equal(opened.filter((sha256) => sha256 === slow.sha256).length, 3)
    assert.equal((await calls.get(user, quick.id)).status, 'ready')
    const { status, failure } = await calls.get(user, slow.id)
    assert.deepEqual([status, failure.code], ['failed', 'TOO_MUCH'])
    const { counted, stored } = await storage(tenant, hurried)
    assert.deepEqual(counted, stored)
    await hurried.app.server.close()
    await database.close()
  })

  test('begins again when its job is lost, and fails when it is lost too often', async () => {
    const { tenant, user, calls } = await organization()
    const document = await calls.add(user, unique())
    const loseJob = () => run(app.platform, sql`delete from jobs.job_common where group_id = ${tenant.id}`)
    const sweep = async () => {
      app.clock.advance({ seconds: 120 })
      await app.app.housekeep('knowledge.')
    }
    await loseJob()
    await sweep()
    await app.settled()
    assert.equal((await calls.get(user, document.id)).status, 'ready')
    const unlucky = await calls.add(user, unique())
    for (let lost = 0; lost < 4; lost++) {
      await loseJob()
      await sweep()
    }
    assert.equal((await calls.get(user, unlucky.id)).failure.code, 'TOO_MUCH')
    const { counted, stored } = await storage(tenant)
    assert.deepEqual(counted, stored)
  })

  test('that lost its job is found behind any number of documents that wait', async () => {
    const { tenant, user, calls } = await organization()
    for (let count = 0; count < 5; count++) {
      await calls.add(user, unique())
      app.clock.advance({ seconds: 1 })
    }
    const versions = await many(
      app.platform,
      sql<{ id: string }>`select extraction_id as id from document_versions where tenant_id = ${tenant.id}
        order by created_at`,
    )
    const lost = [versions[2]?.id, versions[4]?.id]
    let enqueued = 0
    const recover = lostExtractions({
      clock: app.clock,
      jobs: { listPending: async (_scope, _kind, ids) => ids.filter((id) => !lost.includes(id)) },
      records: { enqueue: async () => void enqueued++ },
      extractions: { giveUp: async () => assert.fail('Nothing was lost so often.') },
      batch: 2,
    })
    app.clock.advance({ seconds: 61 })
    await recover(app.platform, new AbortController().signal)
    assert.equal(enqueued, 2)
    await run(app.platform, sql`delete from documents where tenant_id = ${tenant.id}`)
  })

  test('of a document that is deleted meanwhile leaves no text and counts nothing', async () => {
    const { tenant, user, calls } = await organization()
    for (let round = 0; round < 10; round++) {
      const document = await calls.add(user, `${'A sentence of some length. '.repeat(2000 * (round % 3))}${unique()}`)
      const [deleted] = await Promise.all([calls.call(user, 'DELETE', path(document)), app.settled()])
      assert.equal(deleted.status, 204, JSON.stringify(deleted.body))
    }
    const left = await one(
      app.platform,
      sql<{ chunks: number; versions: number; indexed: number }>`select
        (select count(*)::int from indexed_items where tenant_id = ${tenant.id}) as indexed,
        (select count(*)::int from document_chunks where tenant_id = ${tenant.id}) as chunks,
        (select count(*)::int from document_versions where tenant_id = ${tenant.id}) as versions`,
    )
    assert.deepEqual(left, { chunks: 0, versions: 0, indexed: 0 })
    assert.deepEqual((await storage(tenant)).counted, { bytes: 0, documents: 0 })
  })

  test('by two nodes at once makes each document ready once', async () => {
    const other = await testApp({ clock: app.clock })
    const { tenant, user, calls } = await organization()
    const documents = await Promise.all(Array.from({ length: 12 }, () => calls.add(user, unique())))
    await Promise.all([app.settled(), other.settled()])
    await app.settled()
    for (const { id } of documents) assert.match(await calls.text(user, id), /^Words number [^.]+\.$/)
    assert.equal(await pagesUsed(tenant), 12)
    const { counted, stored } = await storage(tenant)
    assert.deepEqual(counted, stored)
  })

  test('of a new version changes the whole text at once', async () => {
    const { user, calls } = await organization()
    const text = (word: string) => Array.from({ length: 4000 }, () => `${word} word.`).join('\n\n')
    const document = await calls.ready(user, text('old'), { format: 'text' })
    await calls.call(user, 'POST', `${path(document)}/versions`, { body: { text: text('new'), format: 'text' } })
    const seen = new Set<string>()
    let isOver = false
    const reading = (async () => {
      while (!isOver) {
        const words = await calls.text(user, document.id)
        seen.add([...new Set(words.match(/old|new/g))].join(' and '))
      }
    })()
    await app.settled()
    isOver = true
    await reading
    seen.add([...new Set((await calls.text(user, document.id)).match(/old|new/g))].join(' and '))
    assert.deepEqual([...seen].sort().at(-1), 'old')
    assert.ok(seen.has('new') && seen.size === 2, [...seen].join(', '))
  })
})

describe('the limits of documents', () => {
  test('leave the last place to one of many, and failed documents take none', async () => {
    const { tenant, user, calls } = await organization({ maxDocuments: 3 })
    const send = () => calls.call(user, 'POST', '/documents', { body: { title: 'T', text: unique() } })
    const replies = await Promise.all(Array.from({ length: 8 }, send))
    const codes = replies.map(({ status, body }) => body.code ?? status).sort()
    assert.deepEqual(codes, [202, 202, 202, ...Array.from({ length: 5 }, () => 'QUOTA_EXCEEDED')])
    const [taken] = replies.filter(({ status }) => status === 202)
    assert.equal((await calls.call(user, 'DELETE', path(taken?.body.document))).status, 204)
    const blank = await calls.call(user, 'POST', '/documents', { body: { title: 'T', text: '  ' } })
    assert.equal(blank.status, 202)
    assert.equal((await send()).body.code, 'QUOTA_EXCEEDED')
    await app.settled()
    assert.equal((await send()).status, 202)
    assert.equal((await calls.call(user, 'POST', `${path(blank.body.document)}/retry`)).body.code, 'QUOTA_EXCEEDED')
    const { counted, stored } = await storage(tenant)
    assert.deepEqual([counted, counted.documents], [stored, 3])
  })

  test('hold for bytes of files and of texts, and are the lower of the tenant’s and its plan’s', async () => {
    const { tenant, user, calls } = await organization({ maxStorageBytes: 1000 })
    const send = (text: string) =>
      calls.call(user, 'POST', '/documents', { body: { title: 'T', text, format: 'text' } })
    const large = await send('a'.repeat(1001))
    assert.deepEqual([large.body.code, /maxStorageBytes/.test(large.body.detail)], ['QUOTA_EXCEEDED', true])
    // The file has room, the file and its text have none.
    const both = await send('b'.repeat(600))
    await app.settled()
    assert.equal((await calls.get(user, both.body.document.id)).failure.code, 'USAGE_EXCEEDED')
    const small = await send('c'.repeat(400))
    await app.settled()
    assert.equal((await calls.get(user, small.body.document.id)).status, 'ready')
    await overrideLimit(app, tenant.id, 'documents', { hard: 1 })
    const second = await send('d')
    assert.deepEqual([second.body.code, /documents/.test(second.body.detail)], ['QUOTA_EXCEEDED', true])
    const { counted, stored } = await storage(tenant)
    assert.deepEqual([counted, counted.bytes], [stored, 800])
  })

  test('are told among the quotas, and a recount puts right what was counted', async () => {
    const { tenant, user, calls } = await organization({ maxDocuments: 7 })
    await calls.ready(user, 'Exactly this.', { format: 'text' })
    const quotas = await app.call({ url: `/admin/tenants/${tenant.id}/quotas`, headers: app.admin })
    const used = Object.fromEntries(
      (quotas.body.quotas ?? []).map(({ meter, used, limit }: Record<string, string>) => [meter, [used, limit]]),
    )
    assert.deepEqual(
      [used['documents'], used['maxDocuments']],
      [
        [1, 7],
        [1, 7],
      ],
    )
    await run(
      app.platform,
      sql`update tenant_storage set document_count = 5, document_bytes = 1 where tenant_id = ${tenant.id}`,
    )
    await app.call({ method: 'POST', url: `/admin/tenants/${tenant.id}/usage/recount`, headers: app.admin })
    await app.settled()
    assert.deepEqual((await storage(tenant)).counted, { bytes: 26, documents: 1 })
  })
})

describe('a collection that is restricted', () => {
  test('takes no more documents of who is not listed, from the moment on', async () => {
    const { key, user: owner, orgId, calls } = await organization()
    const member: TestUser = await orgs.add(key, orgId, 'member')
    for (let round = 0; round < 8; round++) {
      const { id } = await calls.collection(owner)
      const add = () =>
        calls.call(member, 'POST', '/documents', { body: { title: 'T', text: unique(), collectionId: id } })
      const [restricted, added] = await Promise.all([
        calls.call(owner, 'PATCH', `/collections/${id}`, { body: { access: 'restricted' } }),
        add(),
      ])
      assert.equal(restricted.status, 200)
      assert.ok([202, 400].includes(added.status), JSON.stringify(added.body))
      assert.equal((await add()).status, 400)
      const { body } = await calls.call(owner, 'GET', `/collections/${id}`)
      assert.equal(body.collection.documentCount, added.status === 202 ? 1 : 0)
    }
    await app.settled()
  })
})
