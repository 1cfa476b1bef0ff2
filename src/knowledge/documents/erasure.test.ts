import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, testBlobs } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { erase, exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { newId } from '../../kernel/ids.ts'
import { many, run, sql } from '../../storage/query.ts'
import { erasureCheck, type Leftover, type Position } from './erasure-check.service.ts'

let app: TestApp
let orgs: ReturnType<typeof organizationCalls>

before(async () => {
  app = await testApp()
  orgs = organizationCalls(app)
})

const unique = () => `Words number ${crypto.randomUUID()}.`

async function organization() {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const user = await orgs.person(key)
  const { id } = await orgs.create(user)
  return { tenant, key, user, orgId: id, calls: documentCalls(app, id) }
}

describe('the nightly search for what was erased', () => {
  /** The leftovers that it finds, counted and logged, and in how many parts it did. */
  async function search(settings: { jobMsMax?: number } = {}) {
    const found = { count: 0, logged: 0 }
    const log = { info: () => undefined, warn: () => undefined, error: () => void found.logged++ }
    const jobs = { enqueue: async () => assert.fail('The test does the next part itself.') }
    const metrics = { leftovers: { add: () => void found.count++ } }
    const check = erasureCheck({ clock: app.clock, log, jobs, metrics, ...settings })
    const leftovers: Leftover[] = []
    let parts = 0
    let from: Position | null = { before: app.clock.now().toISOString(), table: '', page: 0 }
    while (from !== null) {
      const part: Awaited<ReturnType<typeof check.search>> = await check.search(
        app.platform,
        from,
        new AbortController().signal,
      )
      leftovers.push(...part.leftovers)
      from = part.next
      parts++
    }
    return { leftovers, found, parts }
  }

  test('finds nothing of documents, collections and organizations that were deleted', async () => {
    const { tenant, user, orgId, calls } = await organization()
    const [document] = [await calls.ready(user, unique())]
    await calls.call(user, 'POST', `/documents/${document.id}/versions/1/restore`, {
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    const { id } = await calls.collection(user)
    await calls.ready(user, unique(), { collectionId: id })
    await calls.call(user, 'DELETE', `/documents/${document.id}`)
    await calls.call(user, 'DELETE', `/collections/${id}?documents=erase`)
    await calls.ready(user, unique())
    await orgs.call(user, 'DELETE', `/orgs/${orgId}?confirm=Research`)
    const entry = (await auditOfTarget(app, orgId)).find(({ action }) => action === 'org.delete')
    assert.deepEqual(entry?.changes, { tasks: 0, collections: 1, documents: 1, versions: 1, chunks: 1 })
    app.clock.advance({ seconds: 1 })
    assert.deepEqual((await search()).leftovers, [])
    const remembered = await many(app.platform, sql`select 1 from erased_documents where tenant_id = ${tenant.id}`)
    assert.equal(remembered.length, 0, 'what was searched for is forgotten')
  })

  test('names the table that still has an id, in columns of ids and within texts', async () => {
    const { tenant, user, calls } = await organization()
    const { id } = await calls.ready(user, unique())
    const inText = await calls.ready(user, 'Another text.')
    await run(app.platform, sql`update documents set title = ${`See ${id} there`} where id = ${inText.id}`)
    await run(
      app.platform,
      sql`insert into erased_documents (tenant_id, id, erased_at) values (${tenant.id}, ${id}, ${app.clock.now()})`,
    )
    app.clock.advance({ seconds: 1 })
    const { leftovers, found } = await search()
    assert.deepEqual(
      leftovers.map(({ table }) => table),
      ['document_chunks', 'document_versions', 'documents', 'indexed_items'],
    )
    assert.deepEqual(found, { count: 4, logged: 4 })
  })

  test('finds answers to requests that were not erased, and events that should not name it', async () => {
    const { tenant } = await organization()
    const [answered, told] = [newId(app.clock.now()), newId(app.clock.now())]
    const id = randomBytes(32)
    await run(
      app.platform,
      sql`insert into idempotency_keys (id, fingerprint, status, answer_sealed, expires_at, about_id)
        values (${id}, ${id}, 201, ${randomBytes(8)}, ${app.clock.now()}, ${answered})`,
    )
    for (const type of ['org.document.deleted', 'task.created'])
      await run(
        app.platform,
        sql`insert into webhook_messages (tenant_id, id, type, body, created_at)
          values (${tenant.id}, ${newId(app.clock.now())}, ${type}, ${`{"id":"${told}"}`}, ${app.clock.now()})`,
      )
    const remember = () =>
      run(
        app.platform,
        sql`insert into erased_documents (tenant_id, id, erased_at)
          select ${tenant.id}, id, ${app.clock.now()} from unnest(${[answered, told]}::uuid[]) as id`,
      )
    await remember()
    app.clock.advance({ seconds: 1 })
    const tables = async () => (await search()).leftovers.map(({ table }) => table)
    assert.deepEqual(await tables(), ['idempotency_keys', 'webhook_messages'])
    await run(app.platform, sql`update idempotency_keys set answer_sealed = null where id = ${id}`)
    await run(app.platform, sql`delete from webhook_messages where tenant_id = ${tenant.id} and type = 'task.created'`)
    await remember()
    app.clock.advance({ seconds: 1 })
    assert.deepEqual(await tables(), [])
  })

  test('goes on where it stopped when its time is over, and leaves no table out', async () => {
    const { tenant, user, calls } = await organization()
    const { id } = await calls.ready(user, 'A sentence of some length. '.repeat(4000))
    await run(
      app.platform,
      sql`insert into erased_documents (tenant_id, id, erased_at) values (${tenant.id}, ${id}, ${app.clock.now()})`,
    )
    app.clock.advance({ seconds: 1 })
    const { leftovers, parts } = await search({ jobMsMax: 0 })
    const tables = new Set(leftovers.map(({ table }) => table))
    assert.deepEqual([...tables].sort(), ['document_chunks', 'document_versions', 'documents', 'indexed_items'])
    assert.ok(parts > 1)
  })

  test('is made by jobs, each night anew', async () => {
    const { tenant } = await organization()
    const at = new Date(app.clock.now().getTime() - 3600_000)
    await run(
      app.platform,
      sql`insert into erased_documents (tenant_id, id, erased_at) values (${tenant.id}, ${newId(at)}, ${at})`,
    )
    await app.app.housekeep('knowledge.erasures')
    await app.settled()
    const left = await many(app.platform, sql`select 1 from erased_documents where tenant_id = ${tenant.id}`)
    assert.equal(left.length, 0)
  })
})

describe('documents of a tenant', () => {
  test('are in its file with their texts, and originals by their digest', async () => {
    const { tenant, user, calls } = await organization()
    const closed = await calls.collection(user, { access: 'restricted' })
    const document = await calls.ready(user, 'The exported words.', { collectionId: closed.id })
    const { rows } = readTenantFile((await exportTenant(app, tenant.id)).bytes)
    const of = (name: string) => rows.filter(({ table }) => table === name).map(({ row }) => row)
    assert.deepEqual(
      of('documentChunks').map(({ documentId, text }) => [documentId, text]),
      [[document.id, 'The exported words.']],
    )
    assert.equal(of('documentVersions')[0].sha256, document.sha256)
    assert.equal(of('collections').length, 2)
  })

  test('are exported with their organization if they are open to all its members', async () => {
    const { user, orgId, calls } = await organization()
    const closed = await calls.collection(user, { access: 'restricted' })
    await calls.ready(user, 'The closed words.', { collectionId: closed.id })
    const open = await calls.ready(user, 'The open words.')
    const { bytes } = await orgs.call(user, 'GET', `/orgs/${orgId}/export`)
    const { rows } = readTenantFile(bytes)
    const ids = (name: string) => rows.filter(({ table }) => table === name).map(({ row }) => row.documentId ?? row.id)
    assert.deepEqual(
      [ids('documents'), ids('documentVersions'), ids('documentChunks'), ids('collections').length],
      [[open.id], [open.id], [open.id], 1],
    )
    assert.doesNotMatch(JSON.stringify(rows), /closed words/)
  })

  test('are erased with it, and bytes that another tenant has, too, stay', async () => {
    const [gone, other] = [await organization(), await organization()]
    const text = unique()
    await gone.calls.ready(gone.user, text)
    const kept = await other.calls.ready(other.user, text)
    const alone = await gone.calls.ready(gone.user, unique())
    await app.call({
      method: 'PATCH',
      url: `/admin/tenants/${gone.tenant.id}`,
      headers: app.admin,
      body: { status: 'SUSPENDED' },
    })
    const { status, body } = await erase(app, gone.tenant)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.erased.documents, body.erased.document_chunks], [2, 2])
    await app.settled()
    assert.equal((await other.calls.call(other.user, 'GET', `/documents/${kept.id}/content`)).body, text)
    const blobs = await testBlobs()
    assert.deepEqual([await blobs.stat(alone.sha256), (await blobs.stat(kept.sha256))?.size], [null, kept.size])
  })
})
