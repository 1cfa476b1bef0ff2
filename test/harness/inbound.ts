import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Adapters } from '../../src/adapters.ts'
import type { RawDelivery } from '../../src/inbound/incoming-delivery.ts'
import { type Outcome, type Process, type ReceivedDelivery, Unprocessable } from '../../src/inbound/processing.ts'
import type { DeliveryFacts, Scheme } from '../../src/inbound/scheme.ts'
import { type Reply, type TestApp, type TestUser, testApp } from './app.ts'
import { noteSecret } from './suite-secrets.ts'

const signatureHeader = 'x-test-signature'

/** What the tests deliver. `key` identifies the delivery, `entity` its subject. */
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

/** A minimal scheme: an HMAC over the body. It replaces GitHub's scheme. */
export const testScheme: Scheme = {
  name: 'github',
  channel: 'issue-tracker',
  provider: 'GitHub',
  contentTypes: ['application/json'],
  bodyBytesMax: 512 * 1024,
  account: async ({ body }) => parsePayload(body).account ?? null,
  verify: async ({ body, headers }, { secrets }) => {
    const sent = headers[signatureHeader]
    if (parsePayload(body).type === 'provider-is-away') throw new Error('The provider does not answer.')
    if (typeof sent !== 'string') return { isVerified: false, cause: 'SIGNATURE_MISSING', detail: 'No signature.' }
    if (!/^[0-9a-f]{64}$/.test(sent)) return { isVerified: false, cause: 'SIGNATURE_MALFORMED', detail: 'Not hex.' }
    const isGood = secrets.some((secret) => timingSafeEqual(Buffer.from(hmac(body, secret)), Buffer.from(sent)))
    if (isGood) return { isVerified: true }
    return { isVerified: false, cause: 'SIGNATURE_MISMATCH', detail: `Computed over ${body.length} bytes.` }
  },
  read: async ({ body }) => deliveryFacts(parsePayload(body)),
  sample: ({ secret, id }) => signed({ key: id, entity: 'sample' }, secret),
}

function parsePayload(body: Buffer): Payload {
  try {
    return JSON.parse(body.toString())
  } catch {
    return { unusable: 'No JSON.' }
  }
}

function deliveryFacts({
  key = '',
  entity = '',
  type = 'changed',
  challenge,
  confirm,
  unusable,
}: Payload): DeliveryFacts {
  if (unusable !== undefined) return { kind: 'unusable', detail: unusable }
  if (challenge !== undefined) return { kind: 'handshake', answer: { contentType: 'text/plain', body: challenge } }
  if (confirm !== undefined) return { kind: 'confirmation', url: confirm, deliveryKey: key }
  return { kind: 'event', deliveryKey: key, eventType: type, entityKey: entity, occurredAt: null }
}

function hmac(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export function signed(payload: Payload, secret: string): RawDelivery {
  const body = Buffer.from(JSON.stringify(payload))
  const headers = { 'content-type': 'application/json', [signatureHeader]: hmac(body, secret) }
  return { body, contentType: 'application/json', headers, query: {} }
}

/** Records what was processed and committed. Fails where a test asks for it. */
export function recordingProcess() {
  const begun: string[] = []
  const done: string[] = []
  /** How often processing still fails, by entity. */
  const failures = new Map<string, number>()
  const process: Process = async (received) => async (tx) => {
    begun.push(payloadKey(received))
    const left = failures.get(received.entityKey) ?? 0
    if (received.entityKey === 'unprocessable') throw new Unprocessable('Nobody can use this.')
    if (left > 0) {
      failures.set(received.entityKey, left - 1)
      throw new Error('It does not work yet.')
    }
    tx.handle.afterCommit(() => void done.push(payloadKey(received)))
    const outcome: Outcome = {
      kind: 'processed',
      effects: [{ kind: 'task', action: 'created', targetId: received.id, status: 'DONE' }],
    }
    return received.eventType === 'boring' ? { kind: 'ignored', reason: 'Boring.' } : outcome
  }
  return { process, begun, done, failures }
}

function payloadKey({ body }: ReceivedDelivery): string {
  return parsePayload(body).key ?? ''
}

export type InboundApp = TestApp & ReturnType<typeof recordingProcess> & { confirmed: string[] }

/** An app that accepts deliveries of the test scheme. */
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
  await app.promote(user)
  return user
}

export const webhooks = '/assistant/v1/webhooks'

export type TestConnection = { id: string; path: string; secret: string }

/** With a generated secret, where the scheme has one. */
export async function createConnection(app: TestApp, { headers }: TestUser, overrides = {}): Promise<TestConnection> {
  const body = { scheme: 'github', name: 'Repositories', ...overrides }
  const reply = await app.call({ method: 'POST', url: `${webhooks}/connections`, headers, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const { id, path } = reply.body.connection
  const secret = reply.body.secret ?? (overrides as { secret?: string }).secret
  // Amazon SNS has none.
  if (secret) noteSecret({ text: secret, what: 'the secret of a connection', issuedBy: `POST ${webhooks}/connections` })
  return { id, path, secret }
}

/** Sends a delivery as the provider does. */
export function deliver(app: TestApp, url: string, { body, headers }: RawDelivery): Promise<Reply> {
  return app.call({ method: 'POST', url, headers: headers as Record<string, string>, body })
}
