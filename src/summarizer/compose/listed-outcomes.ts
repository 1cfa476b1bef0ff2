// The outcomes of a meeting in, the sections of decisions and tasks and the questions worth listing out.

import { type Analysis, sureOutcomes } from '../analysis.ts'
import type { Task } from '../outcomes/tasks.ts'
import type { SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import type { Composition } from './composition.ts'
import { quote, recordFact, withCount } from './reported-speech.ts'

type Placing = { headings: { decisions: string; actions: string }; wordsMax: number; hardWordsMax: number }

const decisionsShown = 6
const tasksShown = 8
const questionsShown = 3

/** The decisions and tasks, or a sentence that says there were none. */
export function addOutcomes(text: Composition, analysis: Analysis, to: Placing): void {
  const { outcomes, record } = analysis
  const { decisions, actionItems } = sureOutcomes(analysis)
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  for (const { text: words, citations, evidence } of decisions.slice(0, decisionsShown)) {
    const line = `${quote(words)} (${evidence.speaker.label}).`
    text.add(to.headings.decisions, { text: line, citations, basis: 'speech' }, to.wordsMax)
  }
  if (!text.has(to.headings.decisions))
    text.add(
      to.headings.decisions,
      noOutcome('decision', { found: outcomes.decisions.length, sure: decisions.length }, first),
      to.hardWordsMax,
    )
  for (const it of tasksByOwner(actionItems.slice(0, tasksShown))) text.add(to.headings.actions, it, to.wordsMax)
  if (!text.has(to.headings.actions))
    text.add(
      to.headings.actions,
      noOutcome('action item', { found: outcomes.actionItems.length, sure: actionItems.length }, first),
      to.hardWordsMax,
    )
}

function noOutcome(
  noun: string,
  { found, sure }: { found: number; sure: number },
  citations: number[],
): SummarySentence {
  if (found === 0) return recordFact(`No explicit ${noun} was recorded.`, citations)
  if (sure === 0) return recordFact(`No ${noun} is sure; the list has ${withCount(found, 'possible one')}.`, citations)
  return recordFact(`There is no room here for ${withCount(found, noun)}; the list has them all.`, citations)
}

/** Each owner once: "Ben: “I'll send it” (by Friday); “I'll call them” (no date)." */
function tasksByOwner(tasks: readonly Task[]): SummarySentence[] {
  const groups = Map.groupBy(tasks, ({ taker, owner }) => taker?.label ?? owner ?? 'No owner')
  return [...groups].map(([owner, own]) => ({
    text: `${owner}: ${own.map(({ text, due }) => `${quote(text)} (${due ?? 'no date'})`).join('; ')}.`,
    citations: own.flatMap(({ citations }) => citations),
    basis: 'speech' as const,
  }))
}

/** The most important questions that are not quoted already, in the order in which they were asked. */
export function bestQuestions({ outcomes, ranked }: Analysis, quoted: ReadonlySet<number>): SpokenSentence[] {
  const scores = new Map(ranked.map(({ id, score, disfluency }) => [id, score - 3 * disfluency]))
  const asTasks = new Set(outcomes.actionItems.map(({ evidence }) => evidence.id))
  return outcomes.questions
    .map(({ evidence }) => evidence)
    .filter(({ id }) => scores.has(id) && !asTasks.has(id) && !quoted.has(id))
    .toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0))
    .slice(0, questionsShown)
    .sort((a, b) => a.id - b.id)
}
