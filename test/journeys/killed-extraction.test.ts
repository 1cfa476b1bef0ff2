// A process that is killed while it reads documents, as by `kill -9`.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { unique } from '../harness/app.ts'
import { ask } from '../harness/client.ts'
import { makeCustomer } from '../harness/customer.ts'
import { createPostgresDatabase } from '../harness/database.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const kills = 3
// A job of a killed process runs again after 40 s, or on an embedded database at the next start.
const endedMsMax = 120_000

test('every document that was accepted ends ready with its whole text, or failed, however often the process is killed', {
  timeout: 240_000,
}, async (t) => {
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const environment: Record<string, string> = {
    DATA_DIR: await temporaryFolder(),
    MASTER_KEY: randomBytes(32).toString('hex'),
    ADMIN_KEY: admin['x-admin-key'],
    LOG_LEVEL: 'silent',
    ...(isServer ? { DATABASE_URL: await createPostgresDatabase() } : {}),
  }
  let service: Service = await startService(environment)
  t.after(() => service.stop('SIGKILL'))
  const customer = await makeCustomer({ base: service.base, admin })
  const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
  const post = (path: string, headers: Record<string, string>, body: object) =>
    ask({ url: `${service.base}${path}`, method: 'POST', headers, body })
  const { body: session } = await post('/vault/v1/auth/register', customer.headers, account)
  const headers = { authorization: `Bearer ${session.accessToken}` }
  const { body: made } = await post('/assistant/v1/orgs', headers, { name: 'Library' })
  const path = `/assistant/v1/orgs/${made.org.id}/documents`
  const get = (rest: string) => ask({ url: `${service.base}${path}${rest}`, headers })

  const sent = new Map<string, string>()
  for (let kill = 0; kill < kills; kill++) {
    for (let each = 0; each < 4; each++) {
      const text = Array.from({ length: 3_000 }, (_, line) => `Sentence ${line} of ${unique('text')}.`).join('\n\n')
      const { status, body } = await post(path, headers, { title: 'Long', text, format: 'text' })
      assert.equal(status, 202, JSON.stringify(body))
      sent.set(body.document.id, text)
    }
    // At any moment of the reading, the writing and the end of one of them.
    await delay(200 + Math.random() * 1500)
    await service.stop('SIGKILL')
    service = await startService(environment)
  }

  const deadline = Date.now() + endedMsMax
  const states = async (): Promise<string[]> =>
    (await get('?limit=100')).body.documents.map(({ status }: { status: string }) => status)
  while ((await states()).some((status) => status === 'queued' || status === 'extracting')) {
    assert.ok(Date.now() < deadline, 'documents are still under way')
    await delay(250)
  }
  let ready = 0
  for (const [id, text] of sent) {
    const { document } = (await get(`/${id}`)).body
    if (document.status === 'failed') {
      assert.equal(document.failure.code, 'TOO_MUCH')
      continue
    }
    ready++
    const read = await fetch(`${service.base}${path}/${id}/content?format=text`, { headers })
    assert.equal((await read.text()).trim(), text)
  }
  assert.ok(ready >= sent.size - kills, `${ready} of ${sent.size} are ready`)
})
