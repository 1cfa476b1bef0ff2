// The outcomes of a meeting in, the sections of decisions and tasks and the questions worth listing out.

import { type Analysis, sureOutcomes } from '../analysis.ts'
import type { Task } from '../outcomes/tasks.ts'
import { isClearQuestion } from '../ranking/readability.ts'
import { longSentencesMin } from '../ranking/select-sentences.ts'
import type { SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import type { Composition } from './composition.ts'
import type { Frames } from './frames/english.ts'
import { quote, recordFact } from './reported-speech.ts'

type Placing = { wordsMax: number; hardWordsMax: number }

const decisionsShown = 6
const tasksShown = 8
const questionsShown = 3

/** The decisions and tasks, or a sentence that says there were none. */
export function addOutcomes(text: Composition, analysis: Analysis, to: Placing): void {
  const { outcomes, record, frames } = analysis
  const { headings, count } = frames
  const { decisions, actionItems } = sureOutcomes(analysis)
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  for (const { text: words, citations, evidence } of decisions.slice(0, decisionsShown)) {
    const line = `${quote(words)} (${evidence.speaker.label}).`
    text.add(headings.decisions, { text: line, citations, basis: 'speech' }, to.wordsMax)
  }
  const add = (heading: string, it: string) => text.add(heading, recordFact(it, first), to.hardWordsMax)
  if (!text.has(headings.decisions)) {
    const found = outcomes.decisions.length
    if (found === 0) add(headings.decisions, frames.noDecision)
    else
      add(
        headings.decisions,
        decisions.length === 0 ? frames.possibleDecisions(found) : frames.noRoom(count.decision(found)),
      )
  }
  for (const it of tasksByOwner(actionItems.slice(0, tasksShown), frames)) text.add(headings.actions, it, to.wordsMax)
  if (text.has(headings.actions)) return
  const found = outcomes.actionItems.length
  if (found === 0) add(headings.actions, frames.noTask)
  else add(headings.actions, actionItems.length === 0 ? frames.possibleTasks(found) : frames.noRoom(count.task(found)))
}

/** Each owner once: "Ben: “I'll send it” (by Friday); “I'll call them” (no date)." */
function tasksByOwner(tasks: readonly Task[], { noOwner, noDate }: Frames): SummarySentence[] {
  const groups = Map.groupBy(tasks, ({ taker, owner }) => taker?.label ?? owner ?? noOwner)
  return [...groups].map(([owner, own]) => ({
    text: `${owner}: ${own.map(({ text, due }) => `${quote(text)} (${due ?? noDate})`).join('; ')}.`,
    citations: own.flatMap(({ citations }) => citations),
    basis: 'speech' as const,
  }))
}

/** The most important questions that are not quoted already, in the order in which they were asked. */
export function bestQuestions({ outcomes, ranked, record }: Analysis, quoted: ReadonlySet<number>): SpokenSentence[] {
  const isLong = record.sentences.length >= longSentencesMin
  const scores = new Map(ranked.map(({ id, score, disfluency }) => [id, score - 3 * disfluency]))
  const asTasks = new Set(outcomes.actionItems.map(({ evidence }) => evidence.id))
  return outcomes.questions
    .map(({ evidence }) => evidence)
    .filter(({ id }) => scores.has(id) && !asTasks.has(id) && !quoted.has(id))
    .filter((it) => !isLong || isClearQuestion(it, record.language))
    .toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0))
    .slice(0, questionsShown)
    .sort((a, b) => a.id - b.id)
}
