import { addressBucket, type RateCounter, rateLimitRefusal, type Verdict } from '../../http/limits/rate-limit.ts'
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
  /** Deliveries of one connection within the window of the rate limits, including failed ones. */
  connectionMax: number
  /** Deliveries from one address to connections that do not exist. */
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
      if (scheme.channel === channel) hints.push(...(await accountHints(scheme, delivery)))
    const named = hints.length === 0 ? [] : await listCandidates(platform, { channel, hints, limit: candidatesMax })
    return [...named, ...(await environment.candidates(channel))]
  }

  /** Finds the connection that the signature is valid for. */
  async function admit(
    platform: PlatformScope,
    { connection, delivery }: ReceivingRequest,
    candidates: Candidate[],
  ): Promise<Admission> {
    if (candidates.length === 0) {
      count('none', 'unknown')
      return (await chargeAddress(platform)) ?? { kind: 'rejected' }
    }
    const verdicts = await peekLimits(candidates)
    const limited = whyAllLimited(candidates, verdicts)
    if (limited !== null) return limited
    const verify = deliveryVerifier(deps, delivery)
    const resolution = await resolveSharedAccount(candidates, verify)
    if (resolution.kind === 'unavailable') return resolution
    if (resolution.kind === 'shared') return rejectShared(platform, delivery, resolution.candidates)
    const remaining = resolution.candidates
    const failures: { candidate: Candidate; rejection: Rejection }[] = []
    for (const candidate of remaining.filter((each) => notRateLimited(each, verdicts))) {
      const closed = whyClosed(candidate)
      const result = closed === null ? await verify(candidate) : { kind: 'failed' as const, ...closed }
      if (result.kind === 'unavailable') return result
      if (result.kind === 'verified')
        return (await chargeConnection(candidate)) ?? { ...result, kind: 'admitted', candidate, delivery }
      failures.push({ candidate, rejection: result })
    }
    return whyAllLimited(remaining, verdicts) ?? rejectAll(platform, { connection, delivery, failures })
  }

  /**
   * Which of the candidates may receive the delivery. Where it is valid for connections of two tenants, only the payload
   * would decide between them, and whoever registered the account first would receive the other's deliveries: providers
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

  async function rejectShared(
    platform: PlatformScope,
    delivery: IncomingDelivery,
    candidates: Candidate[],
  ): Promise<NotAdmitted> {
    const detail =
      'The delivery is also valid for a connection of another tenant: use the address with the connection id.'
    for (const candidate of candidates) {
      const limited = await chargeConnection(candidate)
      if (limited !== null) return limited
      const scope = scopeToTenant(platform, candidate.tenantId)
      await ingest.reject(scope, candidate, delivery, { cause: 'ACCOUNT_SHARED', detail })
    }
    return { kind: 'rejected' }
  }

  async function rejectAll(
    platform: PlatformScope,
    {
      connection,
      delivery,
      failures,
    }: Pick<ReceivingRequest, 'connection' | 'delivery'> & {
      failures: { candidate: Candidate; rejection: Rejection }[]
    },
  ): Promise<NotAdmitted> {
    for (const { candidate, rejection } of failures) {
      // Anybody can call the plain address, and must not use up what the provider may send.
      const isOpenToAll = connection === null && candidate.isEnvironment
      const limited = isOpenToAll ? await chargeAddress(platform) : await chargeConnection(candidate)
      if (limited !== null) return limited
      await ingest.reject(scopeToTenant(platform, candidate.tenantId), candidate, delivery, rejection)
    }
    return { kind: 'rejected' }
  }

  /** The state of each connection's limit, without counting this delivery yet. */
  async function peekLimits(candidates: Candidate[]): Promise<Map<Candidate, Verdict>> {
    const now = clock.now()
    const verdicts = candidates.map(
      async (candidate) =>
        [candidate, await rateCounter.peek(connectionBucket(candidate.id), limits.connectionMax, now)] as const,
    )
    return new Map(await Promise.all(verdicts))
  }

  /** Null unless every one of these connections has used up its limit. */
  function whyAllLimited(candidates: Candidate[], verdicts: Map<Candidate, Verdict>): NotAdmitted | null {
    const [first] = candidates
    const verdict = first && verdicts.get(first)
    if (
      first === undefined ||
      verdict === undefined ||
      candidates.some((candidate) => notRateLimited(candidate, verdicts))
    )
      return null
    count(first.scheme, 'limited')
    return limited(verdict, 'CONNECTION')
  }

  const chargeConnection = ({ id }: Candidate) => charge(connectionBucket(id), limits.connectionMax, 'CONNECTION')
  const chargeAddress = ({ caller }: PlatformScope) =>
    charge(`inbound:strangers:${addressBucket(caller.ip ?? '')}`, limits.strangersMax, 'ADDRESS')

  async function charge(bucket: string, limit: number, counted: CountedCaller): Promise<NotAdmitted | null> {
    const verdict = await rateCounter.take(bucket, limit, clock.now())
    return verdict.isAllowed ? null : limited(verdict, counted)
  }

  const limited = (verdict: Verdict, counted: CountedCaller): NotAdmitted => ({
    kind: 'limited',
    refusal: rateLimitRefusal(verdict, { counted, what: 'deliveries', now: clock.now() }),
  })

  return { receive, bodyLimitFor }
}

function notRateLimited(candidate: Candidate, verdicts: Map<Candidate, Verdict>): boolean {
  return verdicts.get(candidate)?.isAllowed === true
}

function countTenants(candidates: Candidate[]): number {
  return new Set(candidates.map(({ tenantId }) => tenantId)).size
}

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
