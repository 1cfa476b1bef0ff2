import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { storableText } from '../../kernel/storable-text.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import { type Candidate, isUnseen } from '../connections/connection.store.ts'
import type { ConnectionSecrets } from '../connections/connection-secrets.ts'
import type { DeliveryFacts, Handshake, RawDelivery, Scheme } from '../scheme.ts'
import type { CountDelivery } from './delivery.metrics.ts'
import { headersToKeep, keyOf, type Refused, sha256 } from './delivery.rules.ts'
import { type NewDelivery, noteRefusal } from './delivery.store.ts'
import { maskSecrets } from './mask-secrets.rules.ts'
import type { Store, Stored } from './storing.ts'

/** What came of a delivery to one connection. */
export type Intake =
  | ({ kind: 'refused' } & Refused)
  /** Its signature holds, and all the same it is of no use: never retried. */
  | ({ kind: 'unusable' } & Refused)
  | { kind: 'handshake'; answer: Handshake }
  | ({ kind: 'stored' } & Stored)

export type IntakeDeps = {
  clock: Clock
  store: Store
  secrets: ConnectionSecrets
  schemes: Schemes
  count: CountDelivery
}

export type Intakes = ReturnType<typeof intakeService>

/** One delivery and one connection that it may be for: verified, then stored and enqueued in one transaction. */
export function intakeService({ clock, store, secrets, schemes, count }: IntakeDeps) {
  /** Whether the connection's own secrets verify it, whatever else is wrong. */
  async function judge(candidate: Candidate, raw: RawDelivery): Promise<Refused | { scheme: Scheme; held: string[] }> {
    const scheme = schemes[candidate.scheme]
    if (candidate.isDeleted) return { cause: 'CONNECTION_DELETED', detail: 'The connection was deleted.' }
    if (!candidate.isTenantActive) return { cause: 'TENANT_SUSPENDED', detail: 'The tenant is not active.' }
    if (candidate.status === 'paused') return { cause: 'CONNECTION_PAUSED', detail: 'The connection is paused.' }
    if (scheme === undefined)
      return { cause: 'UNREADABLE', detail: `This installation has no scheme ${candidate.scheme}.` }
    const { verification, held } = await verify(candidate, raw, scheme)
    return verification.isVerified ? { scheme, held } : verification
  }

  async function verify(candidate: Candidate, raw: RawDelivery, scheme: Scheme) {
    const now = clock.now()
    const held = secretsOf(candidate, now)
    const verification = await scheme
      .verify(raw, { secrets: held, settings: candidate.settings, now })
      .catch(() => undecided())
    return { verification, held }
  }

  /** Whether its secrets verify it, though the connection may be paused and its tenant suspended. */
  async function holds(candidate: Candidate, raw: RawDelivery): Promise<boolean> {
    const scheme = schemes[candidate.scheme]
    return scheme !== undefined && (await verify(candidate, raw, scheme)).verification.isVerified
  }

  /** The present one first. */
  function secretsOf(candidate: Candidate, now: Date): string[] {
    const { secretSealed, previousSecretSealed, previousUntil } = candidate
    const isPreviousGood = previousUntil !== null && now < previousUntil
    return [secretSealed, isPreviousGood ? previousSecretSealed : null].flatMap((sealed) =>
      sealed === null ? [] : [secrets.open(sealed, candidate)],
    )
  }

  /** Takes a delivery that `judge` found to be the connection's own. */
  async function take(
    scope: TenantScope,
    candidate: Candidate,
    raw: RawDelivery,
    { scheme, held }: { scheme: Scheme; held: string[] },
  ): Promise<Intake> {
    const unfit = unfitness(scheme, raw)
    if (unfit !== null) return { kind: 'unusable', ...unfit }
    const facts = factsOf(scheme, raw)
    if (facts.kind === 'unusable') return { kind: 'unusable', cause: 'UNUSABLE', detail: facts.detail }
    if (facts.kind === 'handshake') return { kind: 'handshake', answer: facts.answer }
    const delivery = newDelivery({ candidate, raw, facts, held, now: clock.now() })
    const stored = await store(scope, { delivery, isFirstOfMinute: isUnseen(candidate, delivery.receivedAt) })
    return { kind: 'stored', ...stored }
  }

  /** For the tenant's log alone. */
  async function note(scope: TenantScope, candidate: Candidate, raw: RawDelivery, refused: Refused): Promise<void> {
    const now = clock.now()
    await noteRefusal(scope, {
      id: newId(now),
      connectionId: candidate.id,
      deliveryKey: `${refused.cause} ${now.toISOString().slice(0, 16)}`,
      receivedAt: now,
      cause: refused.cause,
      detail: storableText(refused.detail, 500),
      headers: headersToKeep(raw),
      contentType: storableText(raw.contentType, 100),
      bodyBytes: raw.body.length,
      bodySha256: sha256(raw.body),
    })
  }

  function told(candidate: Candidate, intake: Intake): Intake {
    count(candidate.scheme, intake.kind === 'stored' ? (intake.isDuplicate ? 'duplicate' : 'accepted') : intake.kind)
    return intake
  }

  return {
    judge,
    holds,
    /** Refused ones are noted in the tenant's log; the rest is stored, or answered at once. */
    async finish(
      scope: TenantScope,
      { candidate, raw, judged }: { candidate: Candidate; raw: RawDelivery; judged: Awaited<ReturnType<typeof judge>> },
    ): Promise<Intake> {
      const intake: Intake =
        'cause' in judged ? { kind: 'refused', ...judged } : await take(scope, candidate, raw, judged)
      if (intake.kind === 'refused' || intake.kind === 'unusable') await note(scope, candidate, raw, intake)
      return told(candidate, intake)
    },
  }
}

/** What a signature is checked with cannot be had now: neither yes nor no, so the provider sends it again. */
function undecided(): never {
  throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 30 })
}

/** What the scheme's own limits say; a body that is empty has no type to be wrong. */
function unfitness({ contentTypes, bodyBytesMax }: Scheme, { body, contentType }: RawDelivery): Refused | null {
  if (body.length > bodyBytesMax)
    return { cause: 'BODY_TOO_LARGE', detail: `${body.length} bytes; the scheme takes ${bodyBytesMax}.` }
  if (body.length > 0 && !contentTypes.includes(contentType))
    return { cause: 'CONTENT_TYPE', detail: `It came as ${contentType}; the scheme has ${contentTypes.join(', ')}.` }
  return null
}

function factsOf(scheme: Scheme, raw: RawDelivery): DeliveryFacts {
  try {
    return scheme.read(raw)
  } catch (error) {
    return { kind: 'unusable', detail: error instanceof Error ? error.message : 'It cannot be read.' }
  }
}

type Making = {
  candidate: Candidate
  raw: RawDelivery
  facts: Extract<DeliveryFacts, { kind: 'event' | 'confirmation' }>
  held: string[]
  now: Date
}

function newDelivery({ candidate, raw, facts, held, now }: Making): NewDelivery {
  const isEvent = facts.kind === 'event'
  return {
    id: newId(now),
    connectionId: candidate.id,
    kind: facts.kind,
    deliveryKey: keyOf(facts.deliveryKey),
    eventType: isEvent ? storableText(facts.eventType, 200) : 'confirmation',
    entityKey: isEvent ? keyOf(facts.entityKey) : 'confirmation',
    occurredAt: isEvent ? facts.occurredAt : null,
    receivedAt: now,
    headers: headersToKeep(raw),
    contentType: storableText(raw.contentType, 100),
    body: maskSecrets(raw.body, held),
    bodySha256: sha256(raw.body),
    timeline: [{ at: now.toISOString(), event: 'received', detail: null }],
  }
}
