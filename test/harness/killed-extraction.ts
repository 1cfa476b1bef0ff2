import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { unique } from './app.ts'
import { ask } from './client.ts'
import { makeCustomer } from './customer.ts'
import { type Service, startService, temporaryFolder } from './service.ts'

// A job of a killed process runs again after 40 s, or on an embedded database at the next start.
const endedMsMax = 120_000

type Killing = { database: Record<string, string>; kills: number; documentsEach: number }

/**
 * Kills the service (`kill -9`) again and again while it reads documents. Every document that it had accepted must end
 * ready with its whole text, or failed. Returns how many are ready, and how many were accepted.
 */
export async function killWhileReading({ database, kills, documentsEach }: Killing) {
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const environment: Record<string, string> = {
    DATA_DIR: await temporaryFolder(),
    MASTER_KEY: randomBytes(32).toString('hex'),
    ADMIN_KEY: admin['x-admin-key'],
    LOG_LEVEL: 'silent',
    RATE_LIMIT_MAX: '1000000',
    ...database,
  }
  let service: Service = await startService(environment)
  try {
    const { path, headers } = await library(service, admin)
    const sent = new Map<string, string>()
    for (let kill = 0; kill < kills; kill++) {
      for (let each = 0; each < documentsEach; each++) {
        const text = longText()
        const body = { title: 'Long', text, format: 'text' }
        const reply = await ask({ url: service.base + path, method: 'POST', headers, body })
        assert.equal(reply.status, 202, JSON.stringify(reply.body))
        sent.set(reply.body.document.id, text)
      }
      // At any moment of the reading, the writing and the end of one of them.
      await delay(200 + Math.random() * 1500)
      await service.stop('SIGKILL')
      service = await startService(environment)
    }
    return { ready: await countReady(service.base + path, headers, sent), accepted: sent.size }
  } finally {
    await service.stop('SIGKILL')
  }
}

async function library({ base }: Service, admin: Record<string, string>) {
  const customer = await makeCustomer({ base, admin, requestsPerWindow: 1_000_000 })
  const post = (path: string, headers: Record<string, string>, body: object) =>
    ask({ url: base + path, method: 'POST', headers, body })
  const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
  const { body: session } = await post('/vault/v1/auth/register', customer.headers, account)
  const headers = { authorization: `Bearer ${session.accessToken}` }
  const { body: made } = await post('/assistant/v1/orgs', headers, { name: 'Library' })
  return { path: `/assistant/v1/orgs/${made.org.id}/documents`, headers }
}

function longText(): string {
  return Array.from({ length: 3_000 }, (_, line) => `Sentence ${line} of ${unique('text')}.`).join('\n\n')
}

async function countReady(url: string, headers: Record<string, string>, sent: Map<string, string>): Promise<number> {
  const deadline = Date.now() + endedMsMax
  let ready = 0
  for (const [id, text] of sent) {
    let document = (await ask({ url: `${url}/${id}`, headers })).body.document
    while (document.status === 'queued' || document.status === 'extracting') {
      assert.ok(Date.now() < deadline, `document ${id} is still under way`)
      await delay(250)
      document = (await ask({ url: `${url}/${id}`, headers })).body.document
    }
    if (document.status === 'failed') {
      assert.equal(document.failure.code, 'TOO_MUCH')
      continue
    }
    ready++
    const read = await fetch(`${url}/${id}/content?format=text`, { headers })
    assert.equal((await read.text()).trim(), text)
  }
  return ready
}
