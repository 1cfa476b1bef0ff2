import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestUser } from '../../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
} from '../../../../test/harness/integrations.ts'
import { organizationCalls } from '../../../../test/harness/organizations.ts'
import { newId } from '../../../kernel/ids.ts'
import { transaction } from '../../../storage/scope.ts'
import { findIntegration } from '../../integrations/integration.store.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import { leaseFile, saveFile } from './import.store.ts'
import { type ImportDeps, importSync } from './import-sync.service.ts'

type Provider = 'google' | 'notion'
type File = { fileId: string; title: string | null; status: string; cause: string | null; documentId: string | null }

let lab: IntegrationLab
before(async () => {
  lab = await integrationLab()
})
after(() => lab.close())

async function connected(provider: Provider) {
  const key = await lab.app.apiKey(await lab.app.tenant())
  const user = await lab.app.user(key)
  const orgId: string = (await organizationCalls(lab.app).create(user)).id
  const { id } = await connectAccount(lab.app.call, user, { provider, features: ['import'], orgId })
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    lab.app.call({ method, url, headers: user.headers, ...(body && { body }) })
  const choose = async (fileIds: string[]) => {
    const body = { features: [{ name: 'import', settings: { fileIds } }] }
    const reply = await call('PATCH', `${base}/${id}`, body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
  }
  const sync = async () =>
    (await call('POST', `${base}/${id}/sync`)).body.result as { ok: boolean; cause: string | null }
  const files = async (): Promise<File[]> => (await call('GET', `${base}/${id}/files`)).body.files
  const documents = `/assistant/v1/orgs/${orgId}/documents`
  const titles = async () =>
    (await call('GET', documents)).body.documents.map(({ title }: { title: string }) => title).sort() as string[]
  return { id, user, orgId, call, choose, sync, files, documents, titles }
}

/** A file that a person has at the provider. */
function written(provider: Provider, title: string, text: string) {
  const create = provider === 'google' ? 'createFile' : 'createPage'
  const edit = provider === 'google' ? 'editFile' : 'editPage'
  const { id } = lab.emulators.control(provider, create, { name: title, title, text }) as { id: string }
  const change = (input: Record<string, unknown>) => {
    lab.emulators.clock.advance(60)
    lab.emulators.control(provider, edit, { id, ...input })
  }
  return { id, change, drop: () => change(provider === 'google' ? { trashed: true } : { archived: true }) }
}

for (const provider of ['google', 'notion'] as const)
  test(`${provider}: a chosen file becomes a document, once, follows its changes, and goes with it`, async () => {
    const { call, choose, sync, files, documents, titles } = await connected(provider)
    const file = written(provider, 'Handbook', 'Lunch is at noon.')
    written(provider, 'Not chosen', 'Nobody asked for this.')
    await choose([file.id])
    assert.deepEqual(await Promise.all([sync(), sync(), sync()]), Array(3).fill({ ok: true, cause: null }))
    await sync()
    assert.deepEqual(await titles(), ['Handbook'])
    const [imported] = await files()
    assert.ok(imported?.documentId)
    const at = `${documents}/${imported.documentId}`
    const versions = async () => (await call('GET', `${at}/versions`)).body.versions.length
    assert.equal(await versions(), 1)

    file.change({ name: 'Handbook 2', title: 'Handbook 2', text: 'Lunch is at one.' })
    assert.deepEqual(await sync(), { ok: true, cause: null })
    assert.deepEqual([await titles(), await versions()], [['Handbook 2'], 2])
    await lab.app.settled()
    assert.equal((await call('GET', at)).body.document.status, 'ready')

    file.drop()
    assert.deepEqual(await sync(), { ok: true, cause: null })
    assert.deepEqual(await titles(), [])
    assert.deepEqual(
      (await files()).map(({ status, cause, documentId }) => [status, cause, documentId]),
      [['removed', 'NOT_FOUND', null]],
    )
  })

test('what people deleted or added here is theirs, and a file that is no longer chosen keeps its document', async () => {
  const { call, choose, sync, files, documents, titles } = await connected('google')
  const [deleted, kept] = [written('google', 'Deleted here', 'One.'), written('google', 'No longer chosen', 'Two.')]
  const known = written('google', 'Known already', 'Three.')
  const own = { title: 'Uploaded', text: 'Three.', format: 'markdown' }
  assert.equal((await call('POST', documents, own)).status, 202)
  await choose([deleted.id, kept.id, known.id])
  await sync()
  assert.deepEqual(await titles(), ['Deleted here', 'No longer chosen', 'Uploaded'])
  const { documentId } = (await files()).find(({ fileId }) => fileId === deleted.id) as File
  await call('DELETE', `${documents}/${documentId}`)
  const forgotten = (await files()).find(({ fileId }) => fileId === deleted.id) as File
  assert.deepEqual([forgotten.documentId, forgotten.title, forgotten.status], [null, null, 'removed'])
  await choose([deleted.id, known.id])
  for (const file of [deleted, kept]) file.change({ text: 'Changed.' })
  known.drop()
  assert.deepEqual(await sync(), { ok: true, cause: null })
  assert.deepEqual(await titles(), ['No longer chosen', 'Uploaded'])
  const statuses = new Map((await files()).map(({ fileId, status, cause }) => [fileId, `${status} ${cause}`]))
  assert.deepEqual(
    [deleted, kept, known].map(({ id }) => statuses.get(id)),
    ['removed DELETED_HERE', 'stopped null', 'removed NOT_FOUND'],
  )
})

test('a document that is deleted while its file is read stays forgotten', async () => {
  const { id, user, call, choose, sync, files, documents } = await connected('google')
  const file = written('google', 'Read just now', 'One.')
  await choose([file.id])
  await sync()
  const scope = lab.app.scopeOf(user.tenantId)
  const now = lab.app.clock.now()
  const until = new Date(now.getTime() + 60_000)
  const reading = await leaseFile(scope, { integrationId: id, fileId: file.id, now, until })
  assert.ok(reading?.documentId)
  await call('DELETE', `${documents}/${reading.documentId}`)
  await saveFile(scope, id, reading)
  const [saved] = await files()
  assert.deepEqual(
    [saved?.documentId, saved?.title, saved?.status, saved?.cause],
    [null, null, 'removed', 'DELETED_HERE'],
  )
})

test('a provider that is down deletes nothing, and one file that cannot be read does not hold up the others', async () => {
  const { choose, sync, titles } = await connected('google')
  const picture = lab.emulators.control('google', 'createFile', {
    name: 'Picture',
    mimeType: 'image/png',
    text: '\0\x01',
  })
  const file = written('google', 'Readable', 'Text.')
  await choose([(picture as { id: string }).id, file.id])
  assert.deepEqual(await sync(), { ok: false, cause: 'UNSUPPORTED_MEDIA_TYPE' })
  assert.deepEqual(await titles(), ['Readable'])
  lab.emulators.faults.add({ provider: 'google', path: '/drive/v3/files', status: 503, times: 3 })
  assert.deepEqual(await sync(), { ok: false, cause: 'PROVIDER_UNAVAILABLE' })
  assert.deepEqual(await titles(), ['Readable'])
  lab.emulators.faults.clear()
})

test('a file whose reader died right after its document was made is followed all the same', async () => {
  const { id, user, choose } = await connected('google')
  const file = written('google', 'Handbook', 'Lunch is at noon.')
  await choose([file.id])
  const scope = lab.app.scopeOf(user.tenantId)
  const integration = await findIntegration(scope, id)
  assert.ok(integration)
  const token = await lab.emulators.accessToken('google', ['https://www.googleapis.com/auth/drive.readonly'])
  const callApi: CallApi = async (_scope, _id, toRequest) => {
    const { url, headers } = toRequest(token)
    const reply = await fetch(`${lab.emulators.origin}/${url.slice('https://'.length)}`, { headers })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const isJson = reply.headers.get('content-type')?.includes('json') === true
    const body = isJson ? JSON.parse(bytes.toString()) : null
    return { status: reply.status, bytes, body, retryAfter: null, etag: null, location: null }
  }
  const documentId = newId(lab.app.clock.now())
  const changed: string[] = []
  const documents: ImportDeps['documents'] = {
    add: async (tenant, _owner, { keep }) => {
      await transaction(tenant, (tx) => keep(tx, { documentId, isOwn: true }))
      throw new Error('killed')
    },
    change: async (_scope, target) => changed.push(target.id) > 0,
    remove: async () => assert.fail('nothing is removed'),
  }
  const { sync } = importSync({ clock: lab.app.clock, callApi, documents })
  const read = () => sync(scope, integration, AbortSignal.timeout(20_000))
  await assert.rejects(read, /killed/)
  await read()
  assert.deepEqual(changed, [], 'nothing is made twice')
  file.change({ text: 'Lunch is at one.' })
  await read()
  assert.deepEqual(changed, [documentId])
})

test('only organizations choose files, and only their members see them', async () => {
  const { id } = await connected('notion')
  const other: TestUser = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
  const seen = await lab.app.call({ url: `${base}/${id}/files`, headers: other.headers })
  assert.equal(seen.status, 404)
  const own = await connectAccount(lab.app.call, other, { provider: 'notion', features: ['import'] })
  const body = { features: [{ name: 'import', settings: { fileIds: ['a'] } }] }
  const refused = await lab.app.call({ method: 'PATCH', url: `${base}/${own.id}`, headers: other.headers, body })
  assert.equal(refused.status, 400, JSON.stringify(refused.body))
})
