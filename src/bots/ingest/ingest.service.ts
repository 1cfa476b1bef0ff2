import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { findIngestBot } from '../bots/bot.store.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import type { Transcriber, TranscriptLine } from '../bots/transcriber.ts'
import { type Step, transition } from '../bots/transitions.rules.ts'
import type { Ingest } from '../runner-protocol/protocol.schema.ts'
import { readToken } from '../runners/runner-token.rules.ts'

type Deps = { platform: PlatformScope; clock: Clock; transitions: BotTransitions; transcriber: Transcriber }

export type IngestEntries = ReturnType<typeof ingestService>

/** Entries for bots of the provider `push`. Refuses with RUNNER_TOKEN_MISSING, RUNNER_TOKEN_INVALID and LEASE_LOST. */
export function ingestService({ platform, clock, transitions, transcriber }: Deps) {
  return async (authorization: string | undefined, { entries, isEnded = false }: Ingest): Promise<void> => {
    const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (text === undefined) throw new Refusal('RUNNER_TOKEN_MISSING')
    const hash = readToken('ingest', text)
    const found = hash === null ? null : await findIngestBot(platform, hash)
    if (found === null) throw new Refusal('RUNNER_TOKEN_INVALID')
    await transitions.change(scopeToTenant(platform, found.tenantId), found.id, async ({ bot }, tx): Promise<Step> => {
      if (bot.status !== 'in_meeting') throw new Refusal('LEASE_LOST')
      const lines = entries.map(({ segmentId, atMs, kind = 'speech', ...rest }): TranscriptLine => {
        return { ...rest, segment: segmentId, offsetMs: atMs, kind }
      })
      const added = await transcriber.add(tx, bot, lines)
      const ended = isEnded ? transition(added.bot, { to: 'ended', reason: 'MEETING_ENDED', now: clock.now() }) : null
      return ended === null ? added : { bot: ended.bot, events: [...added.events, ...ended.events] }
    })
  }
}
