import { createHmac } from 'node:crypto'
import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import { type Json, valueAt } from '../json.ts'
import type { DeliveryFacts, Scheme, Verification, VerificationContext } from '../scheme.ts'
import { buildDeliveryKey, identifierAt, identifierInHeader, parseTime } from './identifiers.ts'
import { jsonSample } from './sample.ts'
import {
  checkAge,
  constantTimeEqual,
  type Failure,
  hmacHex,
  matchesAnySecret,
  readHeader,
  signatureMismatch,
  verified,
  verifyHmac,
} from './signature.ts'

// Vendors of meeting bots. Their webhooks are hints: what counts is what the vendor answers when it is asked. So words
// of a meeting are not stored with deliveries, but for a decision in the chat, which cannot wait.

const bodyBytesMax = 1024 * 1024
const ageSecondsMax = 300

const common = {
  channel: 'bot',
  contentTypes: ['application/json'],
  bodyBytesMax,
  account: async () => null,
} as const

/** Nothing of it is stored. */
const notStored: DeliveryFacts = {
  kind: 'handshake',
  answer: { contentType: 'application/json', body: '{"status":"ignored"}' },
}

const decisionText = /^\s*!(?:agree|stop|forget)\b/i

/**
 * Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks), with the headers of Svix from accounts made
 * before 2025-12-15: https://docs.recall.ai/docs/authenticating-requests-from-recallai, read 2026-11-24.
 */
export const recall: Scheme = {
  ...common,
  name: 'recall',
  provider: 'Recall.ai',
  verify: async (delivery, context) => verifyStandard(delivery, context),
  read: async (delivery) => {
    const payload = await delivery.json()
    const event = identifierAt(payload, 'event')
    const bot = identifierAt(payload, 'data', 'bot', 'id') ?? identifierAt(payload, 'data', 'bot_id')
    if (event === null || bot === null) return { kind: 'unusable', detail: 'the body names no event or no bot' }
    const text = valueAt(payload, 'data', 'data', 'data', 'text')
    const isDecision = event === 'participant_events.chat_message' && isDecisionText(text)
    if (!isDecision && !event.startsWith('bot.') && !/^(?:recording|transcript|participant_events)\.done$/.test(event))
      return notStored
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({
        scheme: 'recall',
        body: delivery.body,
        parts: [identifierInHeader(delivery, standardName(delivery, 'id'))],
      }),
      eventType: event,
      entityKey: `bot/${bot}`,
      occurredAt: parseTime(valueAt(payload, 'data', 'data', 'updated_at')),
    }
  },
  sample: ({ secret, now, id }) => {
    const payload = {
      event: 'bot.in_call_recording',
      data: { data: { code: 'in_call_recording' }, bot: { id: sampleBot } },
    }
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const raw = jsonSample(payload, { 'webhook-id': id, 'webhook-timestamp': timestamp })
    const signature = `v1,${standardSignature(secret, `${id}.${timestamp}.`, raw.body)}`
    return { ...raw, headers: { ...raw.headers, 'webhook-signature': signature } }
  },
}

const sampleBot = 'bot-of-the-test'

const isDecisionText = (text: Json | undefined) => typeof text === 'string' && decisionText.test(text)

const standardName = ({ headers }: RawDelivery, name: string) =>
  headers['webhook-signature'] === undefined && headers['svix-signature'] !== undefined
    ? `svix-${name}`
    : `webhook-${name}`

function verifyStandard(delivery: IncomingDelivery, { secrets, now }: VerificationContext): Verification {
  const id = readHeader(delivery, { name: standardName(delivery, 'id'), pattern: /^([\w.-]{1,120})$/ })
  if (typeof id !== 'string') return id
  const name = standardName(delivery, 'timestamp')
  const timestamp = readHeader(delivery, { name, pattern: /^(\d{10})$/, missing: 'TIMESTAMP_MISSING' })
  if (typeof timestamp !== 'string') return timestamp
  const pattern = /^((?:v1,[A-Za-z0-9+/]{43}=)(?: v1,[A-Za-z0-9+/]{43}=){0,9})$/
  const sent = readHeader(delivery, { name: standardName(delivery, 'signature'), pattern })
  if (typeof sent !== 'string') return sent
  const signatures = sent.split(' ')
  const isMatch = matchesAnySecret(secrets, (secret) => {
    const signature = standardSignature(secret, `${id}.${timestamp}.`, delivery.body)
    if (signature === null) return false
    const expected = `v1,${signature}`
    return signatures.map((one) => constantTimeEqual(one, expected)).includes(true)
  })
  if (!isMatch) return signatureMismatch(delivery)
  return checkAge(new Date(Number(timestamp) * 1000), { now, seconds: ageSecondsMax }) ?? verified
}

/** A secret begins with whsec_ and is base64; one that is not is taken as it is. */
function standardSignature(secret: string, begin: string, body: Buffer): string | null {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  return signed(key, [Buffer.from(begin), body])
}

/** Null: a secret that is no base64 would be the empty key, which everybody has. */
function signed(key: Buffer, parts: Buffer[]): string | null {
  if (key.length === 0) return null
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('base64')
}

/**
 * The signature is over the JSON with sorted names and without spaces; the secret is base64. The time is not signed, but
 * each delivery has a key of its own in the body (docs/webhooks.md of attendee-labs/attendee at 24536dc).
 */
export const attendee: Scheme = {
  ...common,
  name: 'attendee',
  provider: 'Attendee',
  isBodyUnique: true,
  verify: async (delivery, { secrets }) => {
    const sent = readHeader(delivery, { name: 'x-webhook-signature', pattern: /^([A-Za-z0-9+/]{43}=)$/ })
    if (typeof sent !== 'string') return sent
    const payload = await delivery.json()
    const canonical = payload === null || payload === undefined ? null : canonicalJson(payload)
    const isMatch = matchesAnySecret(secrets, (secret) =>
      [delivery.body, ...(canonical === null ? [] : [Buffer.from(canonical)])]
        .map((text) => constantTimeEqual(attendeeSignature(secret, text) ?? '', sent))
        .includes(true),
    )
    return isMatch ? verified : signatureMismatch(delivery)
  },
  read: async (delivery) => {
    const payload = await delivery.json()
    const trigger = identifierAt(payload, 'trigger')
    const bot = identifierAt(payload, 'bot_id')
    if (trigger === null || bot === null) return { kind: 'unusable', detail: 'the body names no trigger or no bot' }
    const isDecision = trigger === 'chat_messages.update' && isDecisionText(valueAt(payload, 'data', 'text'))
    if (!isDecision && trigger !== 'bot.state_change') return notStored
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({
        scheme: 'attendee',
        body: delivery.body,
        parts: [identifierAt(payload, 'idempotency_key')],
      }),
      eventType: trigger,
      entityKey: `bot/${bot}`,
      occurredAt: parseTime(valueAt(payload, 'data', 'created_at')),
    }
  },
  sample: ({ secret, now, id }) => {
    const data = { created_at: now.toISOString(), new_state: 'joined_recording', old_state: 'joining' }
    const raw = jsonSample({ bot_id: sampleBot, data, idempotency_key: id, trigger: 'bot.state_change' })
    return { ...raw, headers: { ...raw.headers, 'x-webhook-signature': attendeeSignature(secret, raw.body) ?? '' } }
  },
}

function attendeeSignature(secret: string, text: Buffer): string | null {
  return signed(Buffer.from(secret, 'base64'), [text])
}

/** As Python's `json.dumps` with sorted names writes it. The depth of what was read is limited. */
function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** HMAC over the time, a dot and the body (docs/docs/webhooks.mdx of Vexa-ai/vexa at 1a38723). */
export const vexa: Scheme = {
  ...common,
  name: 'vexa',
  provider: 'Vexa',
  verify: async (delivery, { secrets, now }) => {
    const timestamp = vexaTime(delivery)
    if (typeof timestamp !== 'string') return timestamp
    const rule = { header: 'x-webhook-signature', pattern: /^sha256=([0-9a-f]{64})$/ }
    const verification = verifyHmac(delivery, secrets, { ...rule, signed: [`${timestamp}.`, delivery.body] })
    if (!verification.isVerified) return verification
    return checkAge(new Date(Number(timestamp) * 1000), { now, seconds: ageSecondsMax }) ?? verification
  },
  read: async (delivery) => {
    const payload = await delivery.json()
    const type = identifierAt(payload, 'event_type')
    const meeting = identifierAt(payload, 'data', 'meeting', 'id')
    if (type === null || meeting === null) return { kind: 'unusable', detail: 'the body names no event or no meeting' }
    return {
      kind: 'event',
      deliveryKey: buildDeliveryKey({
        scheme: 'vexa',
        body: delivery.body,
        parts: [identifierAt(payload, 'event_id')],
      }),
      eventType: type,
      entityKey: `bot/${meeting}`,
      occurredAt: parseTime(valueAt(payload, 'created_at')),
    }
  },
  sample: ({ secret, now, id }) => {
    const data = { meeting: { id: 1, status: 'active' } }
    const created = now.toISOString()
    const raw = jsonSample({ event_id: id, event_type: 'meeting.status_change', created_at: created, data })
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signature = `sha256=${hmacHex(secret, [`${timestamp}.`, raw.body])}`
    return {
      ...raw,
      headers: { ...raw.headers, 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature },
    }
  },
}

function vexaTime(delivery: IncomingDelivery): string | Failure {
  return readHeader(delivery, { name: 'x-webhook-timestamp', pattern: /^(\d{10})$/, missing: 'TIMESTAMP_MISSING' })
}
