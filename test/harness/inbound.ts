import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Adapters } from '../../src/app.ts'
import { type Outcome, type Process, type Received, Unprocessable } from '../../src/inbound/processing.ts'
import type { DeliveryFacts, RawDelivery, Scheme } from '../../src/inbound/scheme.ts'
import { type Reply, type TestApp, type TestUser, testApp } from './app.ts'
import { noteSecret } from './suite-secrets.ts'

const signatureHeader = 'x-test-signature'

/** What the tests deliver. `key` names the delivery, `entity` what it is about. */
type Payload = {
  key?: string
  entity?: string
  type?: string
  account?: string
  challenge?: string
  confirm?: string
  unusable?: string
  proof?: string
}

/** The least a scheme can be: an HMAC over the body. It stands in the place of GitHub's. */
const testScheme: Scheme = {
  name: 'github',
  channel: 'issue-tracker',
  provider: 'GitHub',
  contentTypes: ['application/json'],
  bodyBytesMax: 512 * 1024,
  accountOf: ({ body }) => payloadOf(body).account ?? null,
  verify: async ({ body, headers }, { secrets }) => {
    const sent = headers[signatureHeader]
    if (payloadOf(body).type === 'provider-is-away') throw new Error('The provider does not answer.')
    if (typeof sent !== 'string') return { isVerified: false, cause: 'SIGNATURE_MISSING', detail: 'No signature.' }
    if (!/^[0-9a-f]{64}$/.test(sent)) return { isVerified: false, cause: 'SIGNATURE_MALFORMED', detail: 'Not hex.' }
    const isGood = secrets.some((secret) => timingSafeEqual(Buffer.from(signatureOf(body, secret)), Buffer.from(sent)))
    if (isGood) return { isVerified: true }
    return { isVerified: false, cause: 'SIGNATURE_MISMATCH', detail: `Computed over ${body.length} bytes.` }
  },
  read: ({ body }) => factsOf(payloadOf(body)),
  sample: ({ secret, id }) => signed({ key: id, entity: 'sample' }, secret),
}

function payloadOf(body: Buffer): Payload {
  try {
    return JSON.parse(body.toString())
  } catch {
    return { unusable: 'No JSON.' }
  }
}

function factsOf({ key = '', entity = '', type = 'changed', challenge, confirm, unusable }: Payload): DeliveryFacts {
  if (unusable !== undefined) return { kind: 'unusable', detail: unusable }
  if (challenge !== undefined) return { kind: 'handshake', answer: { contentType: 'text/plain', body: challenge } }
  if (confirm !== undefined) return { kind: 'confirmation', url: confirm, deliveryKey: key }
  return { kind: 'event', deliveryKey: key, eventType: type, entityKey: entity, occurredAt: null }
}

function signatureOf(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export function signed(payload: Payload, secret: string): RawDelivery {
  const body = Buffer.from(JSON.stringify(payload))
  const headers = { 'content-type': 'application/json', [signatureHeader]: signatureOf(body, secret) }
  return { body, contentType: 'application/json', headers, query: {} }
}

/** Remembers what was processed and stayed; fails where a test says so. */
export function recordingProcess() {
  const begun: string[] = []
  const done: string[] = []
  /** By entity: how often it still fails. */
  const failures = new Map<string, number>()
  const process: Process = async (tx, received) => {
    begun.push(keyOf(received))
    const left = failures.get(received.entityKey) ?? 0
    if (received.entityKey === 'unprocessable') throw new Unprocessable('Nobody can use this.')
    if (left > 0) {
      failures.set(received.entityKey, left - 1)
      throw new Error('It does not work yet.')
    }
    tx.handle.afterCommit(() => void done.push(keyOf(received)))
    const outcome: Outcome = {
      kind: 'processed',
      effects: [{ kind: 'task', action: 'created', targetId: received.id, status: 'DONE' }],
    }
    return received.eventType === 'boring' ? { kind: 'ignored', reason: 'Boring.' } : outcome
  }
  return { process, begun, done, failures }
}

function keyOf({ body }: Received): string {
  return payloadOf(body).key ?? ''
}

export type InboundApp = TestApp & ReturnType<typeof recordingProcess> & { confirmed: string[] }

/** An app that takes deliveries of the test's own scheme. */
export async function inboundApp(overrides: Partial<Adapters> = {}): Promise<InboundApp> {
  const recording = recordingProcess()
  const confirmed: string[] = []
  const { inbound, ...rest } = overrides
  const app = await testApp({
    ...(rest as Parameters<typeof testApp>[0]),
    inbound: {
      schemes: { github: testScheme },
      process: recording.process,
      confirm: async (url) => void confirmed.push(url),
      ...inbound,
    },
  })
  return { ...app, ...recording, confirmed }
}

/** A user of a new tenant who administers it. */
export async function tenantAdministrator(app: TestApp): Promise<TestUser> {
  const user = await app.user(await app.apiKey(await app.tenant()))
  const { status } = await app.call({
    method: 'PATCH',
    url: `/admin/users/${user.id}`,
    headers: app.admin,
    body: { role: 'ADMIN' },
  })
  assert.equal(status, 200)
  return user
}

export const webhooks = '/assistant/v1/webhooks'

export type TestConnection = { id: string; path: string; secret: string }

/** With a secret that we made. */
export async function connectionOf(app: TestApp, { headers }: TestUser, overrides = {}): Promise<TestConnection> {
  const body = { scheme: 'github', name: 'Repositories', ...overrides }
  const reply = await app.call({ method: 'POST', url: `${webhooks}/connections`, headers, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const { id, path } = reply.body.connection
  const secret = reply.body.secret ?? (overrides as { secret?: string }).secret
  noteSecret({ text: secret, what: 'the secret of a connection', issuedBy: `POST ${webhooks}/connections` })
  return { id, path, secret }
}

/** As the provider calls. */
export function deliver(app: TestApp, url: string, { body, headers }: RawDelivery): Promise<Reply> {
  return app.call({ method: 'POST', url, headers: headers as Record<string, string>, body })
}
