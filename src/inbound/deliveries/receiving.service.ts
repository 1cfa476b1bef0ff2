import { addressBucket, type RateCounter, rateLimitRefusal } from '../../http/limits/rate-limit.ts'
import type { BodyLimit } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import { type AccountHint, type Candidate, findCandidate, listCandidates } from '../connections/connection.store.ts'
import type { EnvironmentConnections } from '../connections/environment.service.ts'
import type { Channel, RawDelivery, Scheme } from '../scheme.ts'
import type { CountDelivery } from './delivery.metrics.ts'
import type { Refused } from './delivery.rules.ts'
import type { Intake, Intakes } from './intake.service.ts'

export type InboundLimits = {
  /** Deliveries of one connection within the window of the rate limits, failed ones among them. */
  connectionMax: number
  /** Of one address, to connections that nobody has. */
  strangersMax: number
}

export type ReceivingDeps = {
  clock: Clock
  rateCounter: RateCounter
  limits: InboundLimits
  schemes: Schemes
  intakes: Intakes
  environment: Pick<EnvironmentConnections, 'candidates'>
  count: CountDelivery
}

type Arrived = { channel: Channel; named: string | null; raw: RawDelivery }
type Taken = Exclude<Intake, { kind: 'refused' }>

/** Of this many connections that share an account the secrets are tried, oldest first. */
const candidatesMax = 10
const unnamedBytesMax = 1024 * 1024

export type Receiving = ReturnType<typeof receivingService>

/**
 * From a request to a delivery of one connection. Whatever is wrong with it, whoever sent it is told one thing alone.
 * What the payload says of itself only chooses whose secret is tried: the scheme is the connection's.
 */
export function receivingService({ clock, rateCounter, limits, schemes, intakes, environment, count }: ReceivingDeps) {
  /** Refuses with SIGNATURE_INVALID and RATE_LIMITED. */
  async function receive(platform: PlatformScope, arrived: Arrived): Promise<Taken> {
    const candidates = await candidatesFor(platform, arrived)
    if (candidates.length === 0) {
      count('none', 'unknown')
      await chargeStranger(platform)
      throw new Refusal('SIGNATURE_INVALID')
    }
    const room = await withRoom(candidates)
    const meant = await meantOf(platform, candidates, arrived.raw)
    const open = meant === null ? room : await withRoom(meant)
    const judgements: { candidate: Candidate; judged: Refused }[] = []
    for (const candidate of open) {
      const judged = await intakes.judge(candidate, arrived.raw)
      if ('cause' in judged) {
        judgements.push({ candidate, judged })
        continue
      }
      await charge(bucketOf(candidate.id), limits.connectionMax)
      const finished = await intakes.finish(scopeOf(platform, candidate), { candidate, raw: arrived.raw, judged })
      return finished as Taken
    }
    for (const { candidate, judged } of judgements) {
      // The plain address is everybody's: whoever sends nonsense there must not use up what the provider may send.
      if (arrived.named === null && candidate.isEnvironment) await chargeStranger(platform)
      else await charge(bucketOf(candidate.id), limits.connectionMax)
      await intakes.finish(scopeOf(platform, candidate), { candidate, raw: arrived.raw, judged })
    }
    throw new Refusal('SIGNATURE_INVALID')
  }

  /**
   * Mails may be large, and strangers must not fill the memory with them: what names nobody's connection is thrown away
   * as it comes. Without a name only Amazon SNS can be meant, whose messages are small.
   */
  async function roomFor(
    platform: PlatformScope,
    { channel, named, bytesMax }: { channel: Channel; named: string | null; bytesMax: number },
  ): Promise<BodyLimit> {
    if (named === null) return { bytesMax: Math.min(bytesMax, unnamedBytesMax), isKept: true }
    const isSomebodys = isId(named) && (await findCandidate(platform, channel, named)) !== null
    return { bytesMax, isKept: isSomebodys }
  }

  async function candidatesFor(platform: PlatformScope, { channel, named, raw }: Arrived): Promise<Candidate[]> {
    if (named !== null) {
      const found = isId(named) ? await findCandidate(platform, channel, named) : null
      return found === null ? [] : [found]
    }
    const hints = Object.values(schemes).flatMap((scheme) => (scheme.channel === channel ? hintOf(scheme, raw) : []))
    const hinted = hints.length === 0 ? [] : await listCandidates(platform, { channel, hints, limit: candidatesMax })
    return [...hinted, ...(await environment.candidates(platform, channel))]
  }

  /**
   * Those that a delivery is for, or null: whoever proves it. Where the proofs of two tenants hold, the payload alone
   * would say whose it is, and whoever named the account first would get what is another's. Providers that sign with
   * keys of their own prove nothing about the connection, and one secret may be several tenants': nobody gets it. By
   * their addresses all of them are reached. The environment is the word of whoever runs the installation, and no
   * tenant that names the same account takes anything from that.
   */
  async function meantOf(
    platform: PlatformScope,
    candidates: Candidate[],
    raw: RawDelivery,
  ): Promise<Candidate[] | null> {
    const tenantsOf = (some: Candidate[]) => new Set(some.map(({ tenantId }) => tenantId)).size
    if (tenantsOf(candidates) < 2) return null
    const holding: Candidate[] = []
    for (const candidate of candidates) if (await intakes.holds(candidate, raw)) holding.push(candidate)
    if (tenantsOf(holding) < 2) return null
    const ofEnvironment = holding.filter(({ isEnvironment }) => isEnvironment)
    if (ofEnvironment.length > 0) return ofEnvironment
    const judged = { cause: 'ACCOUNT_SHARED', detail: 'Another tenant proves the same account: use the path.' } as const
    for (const candidate of holding) {
      await charge(bucketOf(candidate.id), limits.connectionMax)
      await intakes.finish(scopeOf(platform, candidate), { candidate, raw, judged })
    }
    throw new Refusal('SIGNATURE_INVALID')
  }

  /** Those whose bucket is not full. Refuses with RATE_LIMITED where there is none. */
  async function withRoom(candidates: Candidate[]): Promise<Candidate[]> {
    const now = clock.now()
    const looked = await Promise.all(
      candidates.map(async (candidate) => ({
        candidate,
        verdict: await rateCounter.peek(bucketOf(candidate.id), limits.connectionMax, now),
      })),
    )
    const open = looked.filter(({ verdict }) => verdict.isAllowed)
    const [first] = looked
    if (open.length === 0 && first) {
      count(first.candidate.scheme, 'limited')
      throw rateLimitRefusal(first.verdict)
    }
    return open.map(({ candidate }) => candidate)
  }

  function chargeStranger({ caller }: PlatformScope): Promise<void> {
    return charge(`inbound:strangers:${addressBucket(caller.ip ?? '')}`, limits.strangersMax)
  }

  async function charge(bucket: string, limit: number): Promise<void> {
    const verdict = await rateCounter.take(bucket, limit, clock.now())
    if (!verdict.isAllowed) throw rateLimitRefusal(verdict)
  }

  return { receive, roomFor }
}

/** The caller is a provider, whose address the audit log has no use for: nothing here is audited. */
function scopeOf(platform: PlatformScope, { tenantId }: Candidate): TenantScope {
  return scopeToTenant(platform, tenantId)
}

export function bucketOf(connectionId: string): string {
  return `inbound:connection:${connectionId}`
}

/** What cannot be read names nobody. */
function hintOf(scheme: Scheme, raw: RawDelivery): AccountHint[] {
  try {
    const account = scheme.accountOf(raw)
    return account === null || account.includes('\0') ? [] : [{ scheme: scheme.name, account: account.toWellFormed() }]
  } catch {
    return []
  }
}
