import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { storableText } from '../../kernel/storable-text.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Candidate, isLastSeenDue } from '../connections/connection.store.ts'
import type { IncomingDelivery, RawDelivery } from '../incoming-delivery.ts'
import { hasTooManyMembers } from '../json.ts'
import type { DeliveryFacts, Handshake, Scheme } from '../scheme.ts'
import type { CountDelivery } from './delivery.metrics.ts'
import { indexKey, loggedHeaders, type Rejection, sha256 } from './delivery.rules.ts'
import { type NewDelivery, recordRejection } from './delivery.store.ts'
import type { WriteDelivery } from './delivery-writer.ts'
import { maskSecrets } from './mask-secrets.rules.ts'

export type IngestResult =
  | { kind: 'stored'; deliveryId: string; isDuplicate: boolean }
  | { kind: 'handshake'; answer: Handshake }
  /** The signature is valid, but the delivery cannot be used. A repeat would not help. */
  | ({ kind: 'unusable' } & Rejection)

/** A delivery whose signature is valid for a connection. `secrets`: those that were valid for it. */
export type VerifiedDelivery = {
  candidate: Candidate
  scheme: Scheme
  secrets: readonly string[]
  delivery: IncomingDelivery
}

export type IngestDeps = { clock: Clock; write: WriteDelivery; count: CountDelivery }

export type Ingest = ReturnType<typeof ingestService>

/** What follows the verification: a delivery is stored together with the job that processes it, or only logged. */
export function ingestService({ clock, write, count }: IngestDeps) {
  async function ingest(scope: TenantScope, verified: VerifiedDelivery): Promise<IngestResult> {
    const { candidate, delivery } = verified
    const result = await store(scope, verified)
    if (result.kind === 'unusable') await log(scope, candidate, delivery, result)
    const isDuplicate = result.kind === 'stored' && result.isDuplicate
    count(candidate.scheme, result.kind === 'stored' ? (isDuplicate ? 'duplicate' : 'accepted') : result.kind)
    return result
  }

  async function store(
    scope: TenantScope,
    { candidate, scheme, secrets, delivery }: VerifiedDelivery,
  ): Promise<IngestResult> {
    const misfit = validateType(scheme, delivery)
    if (misfit !== null) return { kind: 'unusable', ...misfit }
    const facts = await readFacts(scheme, delivery, secrets)
    if (facts.kind === 'unusable') return { kind: 'unusable', ...whyUnusable(delivery, facts.detail) }
    if (facts.kind === 'handshake') return { kind: 'handshake', answer: facts.answer }
    const now = clock.now()
    const stored = await write(scope, {
      delivery: newDelivery({ candidate, scheme, delivery, facts, secrets, now }),
      isLastSeenDue: isLastSeenDue(candidate, now),
    })
    return { kind: 'stored', ...stored }
  }

  /** Logs a delivery that was not accepted. Only the tenant sees the cause. */
  async function reject(
    scope: TenantScope,
    candidate: Candidate,
    raw: RawDelivery,
    rejection: Rejection,
  ): Promise<void> {
    await log(scope, candidate, raw, rejection)
    count(candidate.scheme, 'refused')
  }

  async function log(
    scope: TenantScope,
    candidate: Candidate,
    raw: RawDelivery,
    { cause, detail }: Rejection,
  ): Promise<void> {
    const now = clock.now()
    await recordRejection(scope, {
      id: newId(now),
      connectionId: candidate.id,
      deliveryKey: `${cause} ${now.toISOString().slice(0, 16)}`,
      receivedAt: now,
      cause,
      detail: storableText(detail, 500),
      headers: loggedHeaders(raw),
      contentType: storableText(raw.contentType, 100),
      bodyBytes: raw.body.length,
      bodySha256: sha256(raw.body),
    })
  }

  return { ingest, reject }
}

/** Checks the type against those of the scheme. An empty body has no type that could be wrong. */
function validateType({ contentTypes }: Scheme, { body, contentType }: RawDelivery): Rejection | null {
  if (body.length > 0 && !contentTypes.includes(contentType))
    return {
      cause: 'CONTENT_TYPE',
      detail: `The type is ${contentType}; the scheme accepts ${contentTypes.join(', ')}.`,
    }
  return null
}

async function readFacts(
  scheme: Scheme,
  delivery: IncomingDelivery,
  secrets: readonly string[],
): Promise<DeliveryFacts> {
  try {
    return await scheme.read(delivery, secrets)
  } catch (error) {
    // Too many large mails wait to be parsed: the provider sends it again.
    if (error instanceof Refusal) throw error
    return { kind: 'unusable', detail: error instanceof Error ? error.message : 'The delivery cannot be read.' }
  }
}

function whyUnusable({ body, contentType }: RawDelivery, detail: string): Rejection {
  const isCrowded = !contentType.startsWith('multipart/') && hasTooManyMembers(body)
  return isCrowded
    ? { cause: 'BODY_TOO_MANY_MEMBERS', detail: 'The JSON has more members and elements than are read.' }
    : { cause: 'UNUSABLE', detail }
}

type DeliveryParts = VerifiedDelivery & {
  facts: Extract<DeliveryFacts, { kind: 'event' | 'confirmation' }>
  now: Date
}

function newDelivery({ candidate, scheme, delivery, facts, secrets, now }: DeliveryParts): NewDelivery {
  const isEvent = facts.kind === 'event'
  const bodySha256 = sha256(delivery.body)
  return {
    id: newId(now),
    connectionId: candidate.id,
    kind: facts.kind,
    deliveryKey: indexKey(facts.deliveryKey),
    eventType: isEvent ? storableText(facts.eventType, 200) : 'confirmation',
    entityKey: isEvent ? indexKey(facts.entityKey) : 'confirmation',
    occurredAt: isEvent ? facts.occurredAt : null,
    receivedAt: now,
    headers: loggedHeaders(delivery),
    contentType: storableText(delivery.contentType, 100),
    body: maskSecrets(delivery.body, secrets),
    bodySha256,
    bodyKey: isEvent && scheme.isBodyUnique ? bodySha256 : null,
    timeline: [{ at: now.toISOString(), event: 'received', detail: null }],
  }
}
