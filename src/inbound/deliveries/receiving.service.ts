import { addressBucket, type RateCounter, rateLimitRefusal } from '../../http/limits/rate-limit.ts'
import type { BodyLimit } from '../../http/route.ts'
import { isId } from '../../kernel/ids.ts'
import type { CountedCaller, Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { type AccountHint, type Candidate, findCandidate, listCandidates } from '../connections/connection.store.ts'
import type { EnvironmentConnections } from '../connections/environment.service.ts'
import type { IncomingDelivery } from '../incoming-delivery.ts'
import type { Channel, Scheme } from '../scheme.ts'
import type { CountDelivery } from './delivery.metrics.ts'
import type { Rejection } from './delivery.rules.ts'
import type { Ingest, IngestResult, VerifiedDelivery } from './ingest.service.ts'
import { deliveryVerifier, type VerificationDeps, type Verify, whyClosed } from './verification.service.ts'

export type InboundLimits = {
  /** Verified deliveries of one connection within the window of the rate limits. */
  connectionMax: number
  /** Deliveries from one address that are not verified: to one connection's own address, or to all plain addresses. */
  strangersMax: number
}

export type ReceivingDeps = VerificationDeps & {
  rateCounter: RateCounter
  limits: InboundLimits
  ingest: Ingest
  environment: Pick<EnvironmentConnections, 'candidates'>
  count: CountDelivery
}

/** `connection`: the id in the path or the query, as it was sent; null at the plain address of the channel. */
export type ReceivingRequest = { channel: Channel; connection: string | null; delivery: IncomingDelivery }

type NotAdmitted =
  /** The sender gets the same answer for every cause. */
  { kind: 'rejected' } | { kind: 'limited'; refusal: Refusal } | { kind: 'unavailable' }

/** Everything that can come of a request. */
export type ReceivingResult = IngestResult | NotAdmitted

type Admission = ({ kind: 'admitted' } & VerifiedDelivery) | NotAdmitted

/** Why a delivery is not valid for one of its candidates. */
type Failure = { candidate: Candidate; rejection: Rejection }

/** Of so many connections that share an account the secrets are tried, the oldest first. */
const candidatesMax = 10
const plainAddressBytesMax = 1024 * 1024

export type Receiving = ReturnType<typeof receivingService>

/**
 * Receives a delivery in three steps: resolve the connections that it may be for, admit it to one of them, ingest it.
 * The payload only suggests whose secrets are tried: the scheme is that of the connection.
 */
export function receivingService(deps: ReceivingDeps) {
  const { clock, rateCounter, limits, schemes, ingest, environment, count } = deps

  async function receive(platform: PlatformScope, request: ReceivingRequest): Promise<ReceivingResult> {
    const candidates = await resolveCandidates(platform, request)
    const admission = await admit(platform, request, candidates)
    if (admission.kind !== 'admitted') return admission
    return ingest.ingest(scopeToTenant(platform, admission.candidate.tenantId), admission)
  }

  /**
   * How large a body may be, and whether it is kept. Mails may be large, and strangers must not fill the memory: a body
   * for an unknown connection is discarded as it arrives. At the plain address only the small messages of Amazon SNS are
   * expected.
   */
  async function bodyLimitFor(
    platform: PlatformScope,
    { channel, connection, bytesMax }: { channel: Channel; connection: string | null; bytesMax: number },
  ): Promise<BodyLimit> {
    if (connection === null) return { bytesMax: Math.min(bytesMax, plainAddressBytesMax), isKept: true }
    const isKnown = isId(connection) && (await findCandidate(platform, channel, connection)) !== null
    return { bytesMax, isKept: isKnown }
  }

  /** The connections that a delivery may be for: the one in the address, or those whose account the payload names. */
  async function resolveCandidates(
    platform: PlatformScope,
    { channel, connection, delivery }: ReceivingRequest,
  ): Promise<Candidate[]> {
    if (connection !== null) {
      const found = isId(connection) ? await findCandidate(platform, channel, connection) : null
      return found === null ? [] : [found]
    }
    const hints: AccountHint[] = []
    for (const scheme of Object.values(schemes))
      if (scheme.channel === channel && delivery.body.length <= scheme.bodyBytesMax)
        hints.push(...(await accountHints(scheme, delivery)))
    const named = hints.length === 0 ? [] : await listCandidates(platform, { channel, hints, limit: candidatesMax })
    return [...named, ...(await environment.candidates(channel))]
  }

  /**
   * Finds the connection that the signature is valid for. Verifies before it counts: only verified deliveries take from a
   * connection's bucket, so that nobody else can empty it.
   */
  async function admit(
    platform: PlatformScope,
    { connection, delivery }: ReceivingRequest,
    candidates: Candidate[],
  ): Promise<Admission> {
    const verify = deliveryVerifier(deps, delivery)
    const resolution = await resolveSharedAccount(candidates, verify)
    if (resolution.kind === 'unavailable') return resolution
    if (resolution.kind === 'shared')
      return rejectAll(platform, { connection, delivery, failures: sharedFailures(resolution.candidates) })
    const failures: Failure[] = []
    for (const candidate of resolution.candidates) {
      const closed = whyClosed(candidate)
      const result = closed === null ? await verify(candidate) : { kind: 'failed' as const, ...closed }
      if (result.kind === 'unavailable') return result
      if (result.kind === 'verified') {
        const { isUnsigned, scheme, secrets } = result
        const limited = await (isUnsigned ? chargeSender(platform, connection, candidate) : chargeConnection(candidate))
        return limited ?? { kind: 'admitted', candidate, scheme, secrets, delivery }
      }
      failures.push({ candidate, rejection: result })
    }
    return rejectAll(platform, { connection, delivery, failures })
  }

  /**
   * Which of the candidates may receive the delivery. Where it is valid for connections of two tenants, only the payload
   * would decide between them, and the tenant that registered the account first would receive the other's deliveries: providers
   * that sign with their own keys say nothing about the connection, and two tenants may have the same secret. Then
   * nobody receives it here, and each tenant uses the address with the id of its connection. Connections of the
   * environment are an exception: the operator vouches for them, and no tenant can take their deliveries away.
   */
  async function resolveSharedAccount(
    candidates: Candidate[],
    verify: Verify,
  ): Promise<{ kind: 'resolved' | 'shared'; candidates: Candidate[] } | { kind: 'unavailable' }> {
    if (countTenants(candidates) < 2) return { kind: 'resolved', candidates }
    const verified: Candidate[] = []
    for (const candidate of candidates) {
      const result = await verify(candidate)
      if (result.kind === 'unavailable') return result
      if (result.kind === 'verified') verified.push(candidate)
    }
    if (countTenants(verified) < 2) return { kind: 'resolved', candidates }
    const ofEnvironment = verified.filter(({ isEnvironment }) => isEnvironment)
    if (ofEnvironment.length > 0) return { kind: 'resolved', candidates: ofEnvironment }
    return { kind: 'shared', candidates: verified }
  }

  async function rejectAll(
    platform: PlatformScope,
    { connection, delivery, failures }: Pick<ReceivingRequest, 'connection' | 'delivery'> & { failures: Failure[] },
  ): Promise<NotAdmitted> {
    const first = failures[0]?.candidate
    const limited = await chargeSender(platform, connection, first)
    if (limited !== null) {
      count(first?.scheme ?? 'none', 'limited')
      return limited
    }
    if (first === undefined) count('none', 'unknown')
    for (const { candidate, rejection } of failures)
      await ingest.reject(scopeToTenant(platform, candidate.tenantId), candidate, delivery, rejection)
    return { kind: 'rejected' }
  }

  /** Counts a verified delivery. */
  async function chargeConnection({ id, scheme }: Candidate): Promise<NotAdmitted | null> {
    const what = 'deliveries'
    const limited = await charge(connectionBucket(id), { max: limits.connectionMax, counted: 'CONNECTION', what })
    if (limited !== null) count(scheme, 'limited')
    return limited
  }

  /**
   * Counts a delivery that is not verified towards the address of its sender. Once that bucket is full, nothing more is
   * logged. At its own address each connection has such a bucket of its own: providers send for all their customers from
   * the same addresses, and one customer's wrong secret must not hide another's from the log.
   */
  function chargeSender(
    { caller }: PlatformScope,
    connection: string | null,
    candidate: Candidate | undefined,
  ): Promise<NotAdmitted | null> {
    const address = addressBucket(caller.ip ?? '')
    const bucket =
      connection === null || candidate === undefined
        ? `inbound:strangers:${address}`
        : `inbound:failures:${candidate.id}:${address}`
    return charge(bucket, {
      max: limits.strangersMax,
      counted: 'ADDRESS',
      what: 'deliveries without a valid signature',
    })
  }

  async function charge(
    bucket: string,
    { max, counted, what }: { max: number; counted: CountedCaller; what: string },
  ): Promise<NotAdmitted | null> {
    const now = clock.now()
    const verdict = await rateCounter.take(bucket, max, now)
    if (verdict.isAllowed) return null
    return { kind: 'limited', refusal: rateLimitRefusal(verdict, { counted, what, now }) }
  }

  return { receive, bodyLimitFor }
}

function countTenants(candidates: Candidate[]): number {
  return new Set(candidates.map(({ tenantId }) => tenantId)).size
}

function sharedFailures(candidates: Candidate[]): Failure[] {
  const detail =
    'The delivery is also valid for a connection of another tenant: use the address with the connection id.'
  return candidates.map((candidate) => ({ candidate, rejection: { cause: 'ACCOUNT_SHARED', detail } }))
}

/** Counts verified deliveries. */
export function connectionBucket(connectionId: string): string {
  return `inbound:connection:${connectionId}`
}

/** The account that the payload names for this scheme; nothing where the payload cannot be read. */
async function accountHints(scheme: Scheme, delivery: IncomingDelivery): Promise<AccountHint[]> {
  try {
    const account = await scheme.account(delivery)
    return account === null || account.includes('\0') ? [] : [{ scheme: scheme.name, account: account.toWellFormed() }]
  } catch {
    return []
  }
}
