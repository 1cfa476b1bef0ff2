import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { estimateTokens } from '../../kernel/token-estimate.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { isPromptInjection } from '../../summarizer/model/prompt.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { findEntries, streamEntries } from '../entries/entry.store.ts'
import { entryRanking, type Ranking } from './entry-ranking.rules.ts'
import { bestQuote } from './quote.rules.ts'

// So many characters are read for words within a few milliseconds; then others have their turn.
const turnChars = 50_000

/** Reads the whole transcript for the words of a question. */
export async function rankEntries(scope: TenantScope, meetingId: string, question: string): Promise<Ranking> {
  const ranking = entryRanking(question)
  if (ranking.terms.length === 0) return ranking
  let chars = 0
  for await (const portion of streamEntries(scope, meetingId)) {
    for (const entry of portion) {
      ranking.add(entry)
      chars += entry.text.length
      if (chars < turnChars) continue
      chars = 0
      await yieldToEventLoop()
    }
  }
  return ranking
}

/** A part of an entry, without markup or links. */
export type Passage = Entry

const bestMax = 12
// A model can tell for itself what is beside the point.
const leastShare = 0.2
// Who is asked answers next, often without a word of the question; what "it" is stands before.
const contextEntries = { before: 1, after: 2 }
const passageCharsMax = 1200
const passagesTokensMax = 6_000
/** What JSON and the number of a passage cost beside its words. */
const tokensPerPassage = 12

/**
 * What a model is shown of a meeting: the entries that fit a question best with those around them, within `tokensMax`, in
 * the order of the transcript. Entries that speak to the machine are left out.
 */
export async function findPassages(
  scope: TenantScope,
  meetingId: string,
  { ranking, tokensMax }: { ranking: Ranking; tokensMax: number },
): Promise<Passage[]> {
  const best = ranking.best({ max: bestMax, leastShare })
  // The places in the order of their worth: where there is no room for all, the last ones are left out.
  const places = [
    ...new Set([...best.map(({ seq }) => seq), ...best.flatMap((one) => ranking.around(one, contextEntries))]),
  ]
  const found = new Map((await readPassages(scope, meetingId, { places, ranking })).map((it) => [it.seq, it]))
  let room = Math.min(tokensMax, passagesTokensMax)
  const kept = places.flatMap((place) => {
    const passage = found.get(place)
    if (passage === undefined || isPromptInjection(passage.text)) return []
    const cost = estimateTokens(passage.speaker) + estimateTokens(passage.text) + tokensPerPassage
    if (cost > room) return []
    room -= cost
    return [passage]
  })
  return kept.sort((a, b) => a.seq - b.seq)
}

/** The passages at these places as they are now; what was erased meanwhile is missing. */
export async function readPassages(
  scope: TenantScope,
  meetingId: string,
  { places, ranking }: { places: number[]; ranking: Ranking },
): Promise<Passage[]> {
  const entries = await findEntries(scope, meetingId, places)
  return entries.map((entry) => ({ ...entry, text: bestQuote(entry.text, ranking.terms, passageCharsMax) }))
}
