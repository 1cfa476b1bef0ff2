// The analysis of a short meeting in, sentences that fill the promised length out.

import type { Analysis } from '../analysis.ts'
import type { SummarySentence } from '../summary.ts'
import { paddingFor } from './frames/padding.ts'
import { recordFact } from './reported-speech.ts'

const entriesCited = 4

/**
 * Sentences for a transcript that is too short for the promised length: what can be counted, how such a summary is
 * made, and what a reader may do. Each is true of its meeting; none reports anything that was said.
 * @param isByModel a language model wrote parts of the summary, so some of what is true of the engine is not said
 */
export function detailedPadding(analysis: Analysis, { isByModel = false } = {}): SummarySentence[] {
  const { record } = analysis
  const texts = paddingFor(record.language)
  const citations = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, entriesCited)
  return [
    ...recordFacts(analysis),
    ...(record.entryCount === 0 ? texts.empty : []),
    ...texts.method,
    ...(isByModel ? [] : texts.engine),
    ...texts.checklist,
    ...(isByModel ? [] : texts.closing),
  ].map((text) => ({ ...recordFact(text, citations), padding: true }))
}

function recordFacts({ record, topics, outcomes, frames }: Analysis): string[] {
  const { entryCount, wordCount, speakers, firstSecond, lastSecond, language } = record
  if (entryCount === 0) return []
  const { facts } = paddingFor(language)
  const { count } = frames
  const seconds = firstSecond !== null && lastSecond !== null ? lastSecond - firstSecond : 0
  const questions = speakers.reduce((sum, { questionsAsked }) => sum + questionsAsked, 0)
  return [
    facts.holds(count.entry(entryCount), count.word(wordCount)),
    speakers.length === 1 ? facts.onePerson : '',
    wordCount < 150 ? facts.underMinute : wordCount < 600 ? facts.fewMinutes : '',
    seconds > 0 ? facts.seconds(count.second(seconds)) : facts.noTimes,
    questions === 0 ? facts.noQuestion : facts.questions(count.question(questions)),
    topics.length === 0 ? facts.noTopic : '',
    outcomes.decisions.length === 0 ? facts.decisionRule : '',
    outcomes.actionItems.length === 0 ? facts.taskRule : '',
    facts.language,
  ].filter((it) => it !== '')
}
