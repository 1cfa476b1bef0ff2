import type { Clock } from '../../kernel/clock.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type Bot, isFinal } from '../bot.rules.ts'
import { findBot } from '../bots/bot.store.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import { closeCommand, listOpenCommands } from '../command-queue/command.store.ts'
import type { VendorAdapter, VendorState } from '../providers/vendor.ts'
import { vendorTable } from '../providers/vendor-table.ts'
import { isCurrent, retryMs, type VendorRun } from './run.rules.ts'
import { closeRun, markLeaveAsked, markOut, planPoll, startPoll } from './run.store.ts'
import type { Vendors } from './vendor.service.ts'
import { type AskStrictly, strictly, VendorBusy } from './vendor-busy.ts'
import { vendorEvent } from './vendor-event.ts'
import type { AskAs } from './vendor-http.ts'
import type { vendorOrders } from './vendor-order.service.ts'
import { followState } from './vendor-state.rules.ts'
import type { VendorTranscripts } from './vendor-transcript.service.ts'

type Deps = {
  clock: Clock
  transitions: BotTransitions
  vendors: Pick<Vendors, 'account'>
  askAs: AskAs
  orders: ReturnType<typeof vendorOrders>
  transcripts: VendorTranscripts
  /** The address of this service as vendors reach it. Null: it is not known. */
  publicUrl: string | null
}

/** Webhooks are hints beside this. */
const pollMs = 30_000
const soonMs = 5000
/** A vendor that has no whole transcript by then has none. */
const transcriptMsMax = 2 * 3600_000

type Polled = { run: VendorRun; bot: Bot | null; adapter: VendorAdapter; ask: AskStrictly }

/** Asks vendors about their bots until the vendor has erased all that it had of them. */
export function vendorPoll({ clock, transitions, vendors, askAs, orders, transcripts, publicUrl }: Deps) {
  async function poll(scope: TenantScope, runId: string): Promise<void> {
    const run = await startPoll(scope, runId, inMs(pollMs))
    if (run === null) return
    const bot = await findBot(scope, run.botId)
    const account = await vendors.account(scope, run.vendor)
    if (account === null) return closeRun(scope, run.id, { now: clock.now(), isErased: false, error: 'no settings' })
    const adapter = vendorTable[run.vendor]
    const ask = askAs(account)
    try {
      if (run.externalId === null)
        await orders.order(scope, ask, { run, bot, adapter, hookUrl: hookUrl(account.connectionId) })
      else await follow(scope, run.externalId, { run, bot, adapter, ask: strictly(ask) })
    } catch (error) {
      if (!(error instanceof VendorBusy)) throw error
      await postpone(scope, { run, bot, error })
    }
  }

  function hookUrl(connectionId: string | null): string | null {
    if (connectionId === null || publicUrl === null) return null
    return `${publicUrl.replace(/\/$/, '')}/assistant/v1/webhooks/inbound/bot/${connectionId}`
  }

  /** After a lost answer of an order nothing waits longer than it must. */
  async function postpone(
    scope: TenantScope,
    { run, bot, error }: { run: VendorRun; bot: Bot | null; error: VendorBusy },
  ): Promise<void> {
    const tries = run.tries + 1
    const waitMs = Math.max(error.retryAfterMs ?? 0, retryMs({ tries, isLive: bot !== null && !isFinal(bot.status) }))
    await planPoll(scope, run.id, { at: inMs(waitMs), tries, error: error.message })
  }

  const inMs = (ms: number) => new Date(clock.now().getTime() + ms)

  async function follow(scope: TenantScope, id: string, polled: Polled): Promise<void> {
    const { run, adapter, ask } = polled
    const state = await adapter.getState(ask, id)
    const bot = isCurrent(run, polled.bot) ? await applyState(scope, { run, adapter, state }) : polled.bot
    if (!isCurrent(run, bot) || bot.status === 'leaving') return away(scope, id, { ...polled, bot, state })
    await say(scope, id, { ...polled, bot })
    if (bot.status === 'in_meeting') await listen(scope, id, { ...polled, bot })
    await planPoll(scope, run.id, { at: inMs(bot.status === 'in_meeting' ? pollMs : soonMs) })
  }

  const applyState = (
    scope: TenantScope,
    { run, adapter, state }: { run: VendorRun; adapter: VendorAdapter; state: VendorState },
  ): Promise<Bot | null> =>
    transitions.change(scope, run.botId, ({ bot }) =>
      isCurrent(run, bot) ? followState(bot, { state, adapter, now: clock.now() }) : null,
    )

  /** A vendor whose words come only after the meeting watches the silence itself. */
  async function listen(
    scope: TenantScope,
    id: string,
    { run, bot, adapter, ask }: Polled & { bot: Bot },
  ): Promise<void> {
    if (!adapter.isHeardLive) {
      const lastSpeechAt = clock.now().toISOString()
      await transitions.change(scope, run.botId, ({ bot: now }) =>
        now.status === 'in_meeting' ? { bot: { ...now, watch: { ...now.watch, lastSpeechAt } }, events: [] } : null,
      )
      return
    }
    const lines = await adapter.lines(ask, id, bot.admittedAt ?? bot.statusAt)
    if (lines !== null && lines.length > 0) await transcripts.addLive(scope, run, lines)
  }

  /** What somebody wants to say in the meeting. */
  async function say(scope: TenantScope, id: string, { run, bot, adapter, ask }: Polled & { bot: Bot }): Promise<void> {
    if (bot.status !== 'in_meeting') return
    for (const command of await listOpenCommands(scope, [run.botId])) {
      const isSaid = command.kind === 'message' && command.text !== null && (await adapter.say(ask, id, command.text))
      const outcome = isSaid ? 'done' : 'failed: the vendor did not write it'
      await closeCommand(scope, { botId: run.botId, id: command.id, outcome, now: clock.now() })
    }
  }

  /** Out of the meeting, then with the whole transcript, and then without a trace at the vendor. */
  async function away(scope: TenantScope, id: string, polled: Polled & { state: VendorState }): Promise<void> {
    const { run, bot, adapter, ask, state } = polled
    const now = clock.now()
    if (run.leaveAskedAt === null) await markLeaveAsked(scope, run.id, now)
    if (state.status === 'unknown') return confirmErased(scope, polled)
    if (state.status !== 'over') {
      await adapter.leave(ask, id)
      return planPoll(scope, run.id, { at: inMs(soonMs) })
    }
    await markOut(scope, run.id, now)
    const leftAt = state.at ?? run.leaveAskedAt ?? now
    if (run.reconciledAt === null && bot?.admittedAt != null && state.admittedAt !== null && !state.isErased) {
      const isLate = now.getTime() - leftAt.getTime() > transcriptMsMax
      const lines = state.isReady || isLate ? await adapter.lines(ask, id, bot.admittedAt) : null
      if (lines === null && !isLate) return planPoll(scope, run.id, { at: inMs(soonMs * 2) })
      if (lines !== null) await transcripts.reconcile(scope, run, lines)
    }
    if (state.isErased) return confirmErased(scope, polled)
    await adapter.erase(ask, id)
    const after = await adapter.getState(ask, id)
    const isGone = after.status === 'unknown' || (after.status === 'over' && after.isErased)
    return isGone ? confirmErased(scope, polled) : planPoll(scope, run.id, { at: inMs(pollMs) })
  }

  /** The confirmation is kept with the bot. */
  const confirmErased = (scope: TenantScope, { run }: Polled): Promise<void> =>
    transaction(scope, async (tx) => {
      const now = clock.now()
      const locked = await transitions.lock(tx, run.botId)
      await closeRun(tx, run.id, { now, isErased: true })
      if (locked !== null)
        await transitions.apply(tx, locked, { bot: locked.bot, events: [vendorEvent(now, 'erased', run.externalId)] })
    })

  /** The poll failed unexpectedly. */
  async function lost(scope: TenantScope, runId: string, error: string): Promise<void> {
    await planPoll(scope, runId, { at: inMs(pollMs), tries: 1, error: error.slice(0, 500) })
  }

  return { poll, lost }
}
