// A transcript and a limit of tokens in, the entries that fit out.

import { estimateTokens } from '../../kernel/token-estimate.ts'
import type { TranscriptEntry } from '../summary.ts'

/** An entry as it is sent to a model. `n` is its index plus one, because models count from one. */
export type SentEntry = { n: number; speaker: string; text: string }

const entryCharsMax = 1500
/** The tokens that JSON and the entry's number cost beside its words. */
const tokensPerEntry = 12

/**
 * As much of a transcript as fits into `tokensMax`. A transcript that is too long is cut fairly: first long entries are
 * shortened, then entries are dropped evenly over the meeting. The longest entry of each speaker is kept while there is
 * space.
 */
export function fitTranscript(
  transcript: readonly TranscriptEntry[],
  tokensMax: number,
): { entries: SentEntry[]; isExcerpt: boolean } {
  const all = transcript.map(({ speaker, text }, i) => ({ n: i + 1, speaker, text }))
  const whole = all.map(entryTokens)
  if (sum(whole) <= tokensMax) return { entries: all, isExcerpt: false }
  const cut = all.map((it) => ({
    ...it,
    text: it.text.length > entryCharsMax ? `${it.text.slice(0, entryCharsMax).toWellFormed()} ...` : it.text,
  }))
  const costs = cut.map(entryTokens)
  if (sum(costs) <= tokensMax) return { entries: cut, isExcerpt: true }
  const kept = longestOfEachSpeaker(cut, costs, tokensMax / 2)
  addEvenly(kept, costs, tokensMax)
  return { entries: cut.filter((_, i) => kept.has(i)), isExcerpt: true }
}

const entryTokens = ({ speaker, text }: SentEntry) => estimateTokens(speaker) + estimateTokens(text) + tokensPerEntry
const sum = (numbers: readonly number[]) => numbers.reduce((sum, it) => sum + it, 0)

/** The longest entry of each speaker, within `tokensMax`. Those who speak most come first. */
function longestOfEachSpeaker(entries: readonly SentEntry[], costs: readonly number[], tokensMax: number): Set<number> {
  const speakers = new Map<string, { longest: number; tokens: number }>()
  for (const [i, { speaker }] of entries.entries()) {
    const cost = costs[i] ?? 0
    const known = speakers.get(speaker) ?? { longest: i, tokens: 0 }
    const longest = cost > (costs[known.longest] ?? 0) ? i : known.longest
    speakers.set(speaker, { longest, tokens: known.tokens + cost })
  }
  const kept = new Set<number>()
  let tokens = 0
  for (const { longest } of [...speakers.values()].sort((a, b) => b.tokens - a.tokens)) {
    tokens += costs[longest] ?? 0
    if (tokens > tokensMax) break
    kept.add(longest)
  }
  return kept
}

/**
 * Adds an entry whenever the running sum passes the next share of the free space, so that each stretch of the meeting
 * gets its share.
 */
function addEvenly(kept: Set<number>, costs: readonly number[], tokensMax: number): void {
  let tokensLeft = tokensMax - sum([...kept].map((i) => costs[i] ?? 0))
  const rest = costs.map((cost, i) => (kept.has(i) ? 0 : cost))
  const ratio = tokensLeft / Math.max(1, sum(rest))
  let owed = 0
  for (const [i, cost] of rest.entries()) {
    owed += cost * ratio
    if (cost === 0 || cost > owed || cost > tokensLeft) continue
    kept.add(i)
    owed -= cost
    tokensLeft -= cost
  }
}
