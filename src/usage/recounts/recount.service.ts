import type { Log } from '../../http/server-deps.ts'
import { type JobHandler, type JobKind, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { laterDay } from '../../kernel/period.ts'
import { notFound } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit.ts'
import { windowAt } from '../meters/meter.rules.ts'
import type { StockMeter } from '../quotas/quota.rules.ts'
import {
  type Difference,
  findDifferences,
  findMeetingCounts,
  findRecount,
  finishRecount,
  insertRecount,
  listTenants,
  type Recount,
} from './recount.store.ts'

/** What was counted, and what is there. */
type Counted = { counted: number; expected: number }
type StockCount = Counted & { meter: StockMeter }

export type RecountDeps = {
  clock: Clock
  log: Log
  metrics: Metrics
  jobs: Jobs
  audit: Audit
  tenantExists(platform: PlatformScope, tenantId: string): Promise<boolean>
  /** Adds up the bytes of mails, and puts their counter right. */
  recountMails(tx: TenantScope): Promise<Counted>
  /** Adds up documents and their bytes, and puts their counters right. */
  recountDocuments(tx: TenantScope): Promise<{ bytes: Counted; documents: Counted }>
  /** How many of the meetings that exist were created on each day since `from`. */
  countMeetingsByDay(scope: TenantScope, from: string): Promise<{ day: string; created: number }[]>
}

/** `recountId`: null for the nightly one, whose differences are only logged and metered. */
const recounting: JobKind<{ recountId: string | null }> = {
  name: 'usage.counters.recount',
  attemptsMax: 5,
  backoffSeconds: 60,
  timeoutSeconds: 300,
}

export type Recounts = ReturnType<typeof recountService>

/** Compares what was counted, in this month and the one before, with the uses behind it. */
export function recountService(deps: RecountDeps) {
  const { clock, log, metrics, jobs, audit, tenantExists, countMeetingsByDay } = deps
  const found = metrics.counter({
    name: 'usage_recount_differences_total',
    help: 'Counters of usage that were not the sum of the uses behind them.',
    labels: ['meter'],
  })

  async function request(platform: PlatformScope, tenantId: string): Promise<Recount> {
    if (!(await tenantExists(platform, tenantId))) throw notFound()
    return transaction(scopeToTenant(platform, tenantId), async (tx) => {
      const now = clock.now()
      const recount = await insertRecount(tx, { id: newId(now), now })
      await jobs.enqueue(tx, recounting, { data: { recountId: recount.id }, tenantId })
      await audit(tx, { action: 'usage.recount', target: { type: 'tenant', id: tenantId } })
      return recount
    })
  }

  async function get(platform: PlatformScope, { tenantId, id }: { tenantId: string; id: string }): Promise<Recount> {
    const isKnown = isId(id) && (await tenantExists(platform, tenantId))
    const recount = isKnown ? await findRecount(scopeToTenant(platform, tenantId), id) : null
    if (recount === null) throw notFound()
    return recount
  }

  async function requestAll(platform: PlatformScope): Promise<void> {
    for (const tenantId of await listTenants(platform))
      await jobs.enqueue(platform, recounting, { data: { recountId: null }, tenantId })
  }

  const recount = (scope: TenantScope, recountId: string | null): Promise<Difference[]> =>
    transaction(scope, async (tx) => {
      const now = clock.now()
      const from = firstDay(now)
      const ofCounters = await findDifferences(tx, from)
      const differences = [...ofCounters, ...(await meetingDifferences(tx, from)), ...(await stockDifferences(tx))]
      if (recountId !== null) await finishRecount(tx, { id: recountId, differences, now })
      return differences
    })

  /**
   * Days on which fewer meetings were counted than there are of them. Meetings that were deleted stay counted, so more is no
   * difference. On the first of the days counting may have begun, with an upgrade.
   */
  async function meetingDifferences(tx: TenantScope, from: string): Promise<Difference[]> {
    // The meetings first: one that is created meanwhile is then in the counters only.
    const existing = await countMeetingsByDay(tx, from)
    const counted = await findMeetingCounts(tx, from)
    const [first] = [...counted.keys()].toSorted()
    if (first === undefined) return []
    const subject = { scope: 'tenant', subjectId: tx.tenantId, span: 'day' } as const
    return existing
      .map(({ day, created }) => ({ window: day, counted: counted.get(day) ?? 0, expected: created }))
      .filter((one) => one.window > first && one.counted < one.expected)
      .map((one) => ({ meter: 'meetings', ...subject, ...one, isCorrected: false }))
  }

  /** What mails and documents take counts together. */
  async function stocks(tx: TenantScope): Promise<StockCount[]> {
    const mails = await deps.recountMails(tx)
    const { bytes, documents } = await deps.recountDocuments(tx)
    const counted = mails.counted + bytes.counted
    const expected = mails.expected + bytes.expected
    return [
      { meter: 'storageBytes', counted, expected },
      { meter: 'documents', ...documents },
    ]
  }

  async function stockDifferences(tx: TenantScope): Promise<Difference[]> {
    const subject = { scope: 'tenant', subjectId: tx.tenantId } as const
    const differing = (await stocks(tx)).filter(({ counted, expected }) => counted !== expected)
    return differing.map((count) => ({ ...count, ...subject, span: null, window: null, isCorrected: true }))
  }

  const job: JobHandler = jobHandler(recounting, async ({ scope, data }) => {
    if (scope.kind !== 'tenant') throw new Error('A recount is of a tenant.')
    for (const difference of await recount(scope, data.recountId)) {
      found(difference.meter).add()
      log.warn({ tenantId: scope.tenantId, ...difference }, 'A counter of usage was not the sum of its uses.')
    }
  })

  return { request, get, requestAll, job }
}

/** Of the month before. */
function firstDay(now: Date): string {
  const { from } = windowAt(now, 'month')
  return `${laterDay(from, -1).slice(0, 7)}-01`
}
