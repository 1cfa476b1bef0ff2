import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { findIngestBot } from '../bots/bot.store.ts'
import type { BotMoves } from '../bots/bot-moves.ts'
import { move, type Step } from '../bots/moves.rules.ts'
import type { TakenLine, TakingDown } from '../bots/taking-down.ts'
import type { Ingest } from '../runner-protocol/protocol.schema.ts'
import { readToken } from '../runners/runner-token.rules.ts'

type Deps = { platform: PlatformScope; clock: Clock; moves: BotMoves; taking: TakingDown }

export type IngestEntries = ReturnType<typeof ingestService>

/** Entries for bots of the provider `push`. Refuses with RUNNER_TOKEN_MISSING, RUNNER_TOKEN_INVALID and LEASE_LOST. */
export function ingestService({ platform, clock, moves, taking }: Deps) {
  return async (authorization: string | undefined, { entries, isEnded = false }: Ingest): Promise<void> => {
    const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (text === undefined) throw new Refusal('RUNNER_TOKEN_MISSING')
    const hash = readToken('ingest', text)
    const found = hash === null ? null : await findIngestBot(platform, hash)
    if (found === null) throw new Refusal('RUNNER_TOKEN_INVALID')
    await moves.change(scopeToTenant(platform, found.tenantId), found.id, async ({ bot }, tx): Promise<Step> => {
      if (bot.status !== 'in_meeting') throw new Refusal('LEASE_LOST')
      const lines = entries.map(({ segmentId, atMs, kind = 'speech', ...rest }): TakenLine => {
        return { ...rest, segment: segmentId, offsetMs: atMs, kind }
      })
      const taken = await taking.take(tx, bot, lines)
      const ended = isEnded ? move(taken.bot, { to: 'ended', reason: 'MEETING_ENDED', now: clock.now() }) : null
      return ended === null ? taken : { bot: ended.bot, events: [...taken.events, ...ended.events] }
    })
  }
}
