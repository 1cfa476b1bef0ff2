// The record of a meeting in, its decisions, action items and open questions out.

import type { MeetingRecord } from '../sentences/meeting-record.ts'
import { promptInjection } from '../text/prompt-injection.ts'
import { type Decision, findDecisions } from './decisions.ts'
import { findOpenQuestions, type OpenQuestion } from './questions.ts'
import { findTasks, type Task } from './tasks.ts'

/** Each outcome has the sentence it rests on as `evidence`. */
export type Outcomes = { decisions: Decision[]; actionItems: Task[]; questions: OpenQuestion[] }

const outcomesMax = 40
const wordsMax = 40

/** Finds what was decided, promised and asked. Only explicit words count. */
export function findOutcomes(record: MeetingRecord): Outcomes {
  const sentences = record.sentences.filter(
    ({ text, words }) => words.length <= wordsMax && !promptInjection.test(text),
  )
  const actionItems = withoutDuplicates(findTasks(sentences, record)).slice(0, outcomesMax)
  // A promise of one's own is a task, even where it is worded as a conclusion.
  const own = actionItems.filter(({ evidence, taker }) => taker === undefined || taker === evidence.speaker)
  const tasks = new Set(own.map(({ evidence }) => evidence.id))
  const decisions = withoutDuplicates(findDecisions(sentences, record)).filter(
    ({ evidence }) => !tasks.has(evidence.id),
  )
  const elsewhere = new Set([...actionItems, ...decisions].map(({ evidence }) => evidence.id))
  const questions = findOpenQuestions(sentences, record).filter(({ evidence }) => !elsewhere.has(evidence.id))
  return {
    decisions: decisions.slice(0, outcomesMax),
    actionItems,
    questions: withoutDuplicates(questions).slice(0, outcomesMax),
  }
}

/** One sentence may give tasks to several people. */
function withoutDuplicates<T extends { evidence: { id: number }; text: string; owner?: string }>(items: T[]): T[] {
  const seen = new Set<string>()
  return items
    .toSorted((a, b) => a.evidence.id - b.evidence.id)
    .filter(({ text, owner = '' }) => {
      const key = `${owner}\n${text}`.toLowerCase()
      return !seen.has(key) && seen.add(key)
    })
}
