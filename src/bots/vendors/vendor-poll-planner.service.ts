import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { lockBot } from '../bots/bot.store.ts'
import { insertRun, listDueRuns, listUnordered, markEnqueued, type QueuedBot } from './run.store.ts'
import { vendorPollJob } from './vendor-job.ts'

type Deps = { platform: PlatformScope; clock: Clock; jobs: Jobs }

const atOnceMax = 500
/** Longer than a job takes: it was lost with its node. */
const staleMs = 150_000
/** Before the second and third order of a bot. */
const againMs = 15_000

/** Orders bots at their vendors, and plans when to ask about those that were ordered. */
export function vendorPollPlanner({ platform, clock, jobs }: Deps) {
  async function plan(): Promise<void> {
    for (const bot of await listUnordered(platform, atOnceMax)) await open(bot)
    const now = clock.now()
    const staleBefore = new Date(now.getTime() - staleMs)
    for (const { tenantId, id } of await listDueRuns(platform, { now, staleBefore, limit: atOnceMax }))
      await transaction(scopeToTenant(platform, tenantId), (tx) => enqueue(tx, id))
  }

  const open = ({ tenantId, ...queued }: QueuedBot): Promise<void> =>
    transaction(scopeToTenant(platform, tenantId), async (tx) => {
      const { attempt } = queued
      const bot = await lockBot(tx, queued.botId)
      if (bot?.status !== 'queued' || bot.attempt !== attempt || bot.room !== queued.room) return
      const now = clock.now()
      const pollAt = new Date(bot.statusAt.getTime() + (attempt - 1) * againMs)
      await insertRun(tx, { id: newId(now), ...queued, pollAt, now })
    })

  /** A look as soon as possible. Without effect where one waits already. */
  async function enqueue(tx: TenantScope, runId: string): Promise<void> {
    const now = clock.now()
    if (await markEnqueued(tx, runId, { now, staleBefore: new Date(now.getTime() - staleMs) }))
      await jobs.enqueue(tx, vendorPollJob, { data: { runId }, tenantId: tx.tenantId, key: runId })
  }

  return { plan, enqueue }
}

export type VendorPollPlanner = ReturnType<typeof vendorPollPlanner>
