import { injection } from './cues.ts'
import { type Decision, decisionsIn } from './decisions.ts'
import { type Asked, questionsIn } from './questions.ts'
import type { MeetingRecord } from './record.ts'
import { type Task, tasksIn } from './tasks.ts'

/** Each with the sentence it stands on. */
export type Outcomes = { decisions: Decision[]; actionItems: Task[]; questions: Asked[] }

const kept = 40
const wordsMax = 40

/** What was decided, taken on and asked, on explicit words alone; `record` is read once. */
export function outcomesOf(record: MeetingRecord): Outcomes {
  const sentences = record.sentences.filter(({ text, words }) => words.length <= wordsMax && !injection.test(text))
  const actionItems = withoutRepeats(tasksIn(sentences, record)).slice(0, kept)
  const tasks = new Set(actionItems.map(({ evidence }) => evidence.id))
  // What one promises to do oneself is a task, even where it is said as the conclusion of a talk.
  const decisions = withoutRepeats(decisionsIn(sentences, record)).filter(({ evidence }) => !tasks.has(evidence.id))
  const elsewhere = new Set([...actionItems, ...decisions].map(({ evidence }) => evidence.id))
  const questions = questionsIn(sentences, record).filter(({ evidence }) => !elsewhere.has(evidence.id))
  return { decisions: decisions.slice(0, kept), actionItems, questions: withoutRepeats(questions).slice(0, kept) }
}

function withoutRepeats<T extends { evidence: { id: number }; text: string }>(items: T[]): T[] {
  const seen = new Set<string>()
  return items
    .toSorted((a, b) => a.evidence.id - b.evidence.id)
    .filter(({ text }) => {
      const key = text.toLowerCase()
      return !seen.has(key) && seen.add(key)
    })
}
