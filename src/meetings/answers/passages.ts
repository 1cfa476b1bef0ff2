import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { estimateTokens } from '../../kernel/token-estimate.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { isPromptInjection } from '../../summarizer/model/prompt.ts'
import type { Entry } from '../entries/entry.rules.ts'
import { findEntries, streamEntries } from '../entries/entry.store.ts'
import { entryRanking, type Ranking } from './entry-ranking.rules.ts'
import { bestQuote } from './quote.rules.ts'

// So many characters are searched within a few milliseconds; then other work may run.
const charsPerYield = 50_000

/** Searches the whole transcript for the words of a question. */
export async function rankEntries(scope: TenantScope, meetingId: string, question: string): Promise<Ranking> {
  const ranking = entryRanking(question)
  if (ranking.terms.length === 0) return ranking
  let chars = 0
  for await (const batch of streamEntries(scope, meetingId)) {
    for (const entry of batch) {
      ranking.add(entry)
      chars += entry.text.length
      if (chars < charsPerYield) continue
      chars = 0
      await yieldToEventLoop()
    }
  }
  return ranking
}

/** A part of an entry, without markup or links. */
export type Passage = Entry

const bestMax = 12
// Lower than for quotes, because a model can ignore passages that do not fit.
const leastShare = 0.2
// An answer follows its question, often without a word of it. What "it" refers to comes before.
const contextEntries = { before: 1, after: 2 }
const passageCharsMax = 1200
const passagesTokensMax = 6_000
/** The tokens that JSON and the passage's number cost beside its words. */
const tokensPerPassage = 12

/**
 * The entries that a model is shown: those that fit the question best and those around them, within `tokensMax`, in the
 * order of the transcript. Entries with prompt injection are left out.
 */
export async function findPassages(
  scope: TenantScope,
  meetingId: string,
  { ranking, tokensMax }: { ranking: Ranking; tokensMax: number },
): Promise<Passage[]> {
  const best = ranking.best({ max: bestMax, leastShare })
  // The most useful entries come first; where not all fit, the last ones are left out.
  const seqs = [
    ...new Set([...best.map(({ seq }) => seq), ...best.flatMap((one) => ranking.around(one, contextEntries))]),
  ]
  const found = new Map((await readPassages(scope, meetingId, { seqs, ranking })).map((it) => [it.seq, it]))
  let tokensLeft = Math.min(tokensMax, passagesTokensMax)
  const passages = seqs.flatMap((seq) => {
    const passage = found.get(seq)
    if (passage === undefined || isPromptInjection(passage.text)) return []
    const cost = estimateTokens(passage.speaker) + estimateTokens(passage.text) + tokensPerPassage
    if (cost > tokensLeft) return []
    tokensLeft -= cost
    return [passage]
  })
  return passages.sort((a, b) => a.seq - b.seq)
}

/** The current text of these entries. Those erased meanwhile are missing. */
export async function readPassages(
  scope: TenantScope,
  meetingId: string,
  { seqs, ranking }: { seqs: number[]; ranking: Ranking },
): Promise<Passage[]> {
  const entries = await findEntries(scope, meetingId, seqs)
  return entries.map((entry) => ({ ...entry, text: bestQuote(entry.text, ranking.terms, passageCharsMax) }))
}
