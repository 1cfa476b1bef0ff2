// A summary request in, everything that both modes are written from out: the record, ranked sentences, topics and
// outcomes.

import type { Frames } from './compose/frames/english.ts'
import { framesFor } from './compose/frames/frames.ts'
import { findOutcomes, type Outcomes } from './outcomes/outcomes.ts'
import { isFluent } from './ranking/fluency.ts'
import { type LikelyWords, likelyWords } from './ranking/likely-words.ts'
import { type RankedSentence, rankSentences, similarity } from './ranking/rank-sentences.ts'
import { isClearOutcome } from './ranking/readability.ts'
import { findTopics, type Topic } from './ranking/topics.ts'
import type { WordWeights } from './ranking/word-weights.ts'
import { type MeetingRecord, readRecord, type Speaker } from './sentences/meeting-record.ts'
import type { SummaryRequest } from './summary.ts'

export type Analysis = {
  record: MeetingRecord
  frames: Frames
  likely: LikelyWords
  ranked: RankedSentence[]
  topics: Topic[]
  outcomes: Outcomes
  request: SummaryRequest
}

const topicsMax = 28

/** @param weights of the features of words; the learnt ones by default */
export function analyze(request: SummaryRequest, weights?: WordWeights): Analysis {
  const record = readRecord(request)
  const likely = likelyWords(record, weights)
  return {
    record,
    frames: framesFor(record.language),
    likely,
    ranked: rankSentences(record, likely),
    topics: findTopics(record, topicsMax, likely),
    outcomes: findOutcomes(record),
    request,
  }
}

/** What may stand in the text of a summary: the outcomes that are sure, and that can be read. */
export function sureOutcomes({ outcomes, record }: Pick<Analysis, 'outcomes' | 'record'>) {
  const isShown = ({ confidence, evidence }: Outcomes['decisions'][number] | Outcomes['actionItems'][number]) =>
    confidence === 'high' && isClearOutcome(evidence, record.language) && isFluent(evidence, record.language)
  return { decisions: outcomes.decisions.filter(isShown), actionItems: outcomes.actionItems.filter(isShown) }
}

export const byWordsSpoken = (speakers: readonly Speaker[]) =>
  speakers.toSorted((a, b) => b.wordsSpoken - a.wordsSpoken)

/**
 * The sentences worth quoting beside the decisions and tasks, which have sections of their own. Near copies of those
 * are left out too.
 */
export function withoutOutcomes({ ranked, outcomes }: Analysis): RankedSentence[] {
  const ids = new Set([...outcomes.decisions, ...outcomes.actionItems].map(({ evidence }) => evidence.id))
  const placed = ranked.filter(({ id }) => ids.has(id))
  return ranked.filter((it) => !placed.some((other) => other.id === it.id || similarity(other, it) > sameMatter))
}
const sameMatter = 0.4
