import { type Outcomes, outcomesOf } from './outcomes.ts'
import { likenessOf, type Ranked, rank } from './ranking.ts'
import { type MeetingRecord, readRecord, type Speaker } from './record.ts'
import type { SummaryRequest } from './summary.ts'
import { type Topic, topicsOf } from './topics.ts'

/** All that both modes are written from. */
export type Analysis = {
  record: MeetingRecord
  ranked: Ranked[]
  topics: Topic[]
  outcomes: Outcomes
  request: SummaryRequest
}

const topicsMax = 10

export function analyse(request: SummaryRequest): Analysis {
  const record = readRecord(request)
  return { record, ranked: rank(record), topics: topicsOf(record, topicsMax), outcomes: outcomesOf(record), request }
}

export const byWordsSpoken = (speakers: readonly Speaker[]) =>
  speakers.toSorted((a, b) => b.wordsSpoken - a.wordsSpoken)

/** What is worth quoting beside the decisions and tasks, which have places of their own; what says the same is left out too. */
export function withoutOutcomes({ ranked, outcomes }: Analysis): Ranked[] {
  const ids = new Set([...outcomes.decisions, ...outcomes.actionItems].map(({ evidence }) => evidence.id))
  const placed = ranked.filter(({ id }) => ids.has(id))
  return ranked.filter((it) => !placed.some((other) => other.id === it.id || likenessOf(other, it) > sameMatter))
}
const sameMatter = 0.4
