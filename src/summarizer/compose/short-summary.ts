// The analysis of a meeting in, the four to six sentences of a short summary out.

import { type Analysis, byWordsSpoken, sureOutcomes, withoutOutcomes } from '../analysis.ts'
import { stem } from '../language/words.ts'
import { type Coverage, coverage } from '../ranking/coverage.ts'
import type { RankedSentence } from '../ranking/rank-sentences.ts'
import { selectCovering } from '../ranking/select-sentences.ts'
import type { Topic } from '../ranking/topics.ts'
import { type SpokenSentence, wordShare } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import { countSentences } from '../text/sentence-counts.ts'
import { outlineSentence, outlineTopics } from './outline.ts'
import { openingClause, personalSentence } from './personality.ts'
import {
  asSubject,
  capitalize,
  joinList,
  quote,
  quoteAsWritten,
  recordFact,
  reportSpeech,
  withCount,
} from './reported-speech.ts'

const shortSentencesMin = 4
const shortSentencesMax = 6
const topicsShown = 6
const peopleShown = 4
const wordsPerSentenceMax = 26
/** The content words that a person's summary of a meeting has, about twice: a summary may say a little more than that. */
const referenceWords = 110

/** Four to six sentences by every usual way of counting: what the meeting was about, what was said, what came of it. */
export function shortSummary(analysis: Analysis): SummarySentence[] {
  const outline = outlineTopics(analysis.topics.slice(topicsShown), analysis)
  const personal = personalSentence(analysis)
  const opening = [openingSentence(analysis), outlineSentence(outline)].filter((it) => it !== null)
  const closing = [outcomeSentence(analysis), personal && { ...personal, role: 'personal' as const }].filter(
    (it) => it !== null,
  )
  const count = shortSentencesMax - opening.length - closing.length
  const cover = coveredBy([...analysis.topics.slice(0, topicsShown), ...outline], analysis)
  const chosen = selectCovering(withoutOutcomes(analysis).filter(isShortEnough), { count, cover })
  const speech = chosen.map((it) => reportSpeech(it, analysis))
  const sentences = [...opening, ...speech, ...closing]
  for (const fact of paddingSentences(analysis)) {
    if (sentences.length >= shortSentencesMin) break
    sentences.splice(sentences.length - closing.length, 0, fact)
  }
  return withinCounts(sentences, analysis)
}

/** The topics are named already, so no sentence is chosen for their words. */
function coveredBy(topics: readonly Topic[], { likely }: Analysis, words = referenceWords): Coverage {
  const cover = coverage(likely, words)
  cover.add({ terms: topics.flatMap(({ phrase }) => phrase.toLowerCase().split(/[ -]/).map(stem)) })
  return cover
}

const isShortEnough = ({ words }: RankedSentence) => words.length <= wordsPerSentenceMax

/**
 * The crudest way of counting takes the dot of a decimal or of a name such as Node.js for the end of a sentence. Quotes
 * are removed until it agrees too, and facts about the record replace them.
 */
function withinCounts(sentences: SummarySentence[], analysis: Analysis): SummarySentence[] {
  const kept = [...sentences]
  const facts = paddingSentences(analysis).filter(({ text }) => !kept.some((it) => it.text === text))
  const counts = () => countSentences(joinSentences(kept))
  for (;;) {
    while (Math.max(...counts()) > shortSentencesMax) {
      const dotted = kept.findLastIndex(({ text }) => Math.max(...countSentences(text)) > 1)
      kept.splice(dotted < 0 ? kept.length - 1 : dotted, 1)
    }
    const fact = Math.min(...counts()) < shortSentencesMin ? facts.shift() : undefined
    if (!fact) return kept
    kept.push(fact)
  }
}
export const joinSentences = (sentences: readonly SummarySentence[]) => sentences.map(({ text }) => text).join(' ')

function openingSentence(analysis: Analysis): SummarySentence {
  const { record, topics } = analysis
  const where = record.title ? `the meeting ${quoteAsWritten(record.title)}` : 'this meeting'
  if (record.entryCount === 0) return recordFact(`No transcript has been recorded for ${where}.`)
  const people = byWordsSpoken(record.speakers).map(({ label }) => label)
  const who = joinList(people, people.length > peopleShown + 1 ? peopleShown : people.length)
  const selectShown = topics.slice(0, topicsShown)
  const citations = selectShown.flatMap(({ entries }) => entries.slice(0, 3))
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  if (selectShown.length === 0) return recordFact(`In ${where}, ${who} spoke${openingClause(analysis)}.`, first)
  const spoke = people.length > 1 ? 'discussed' : 'spoke about'
  return recordFact(
    `In ${where}, ${who} ${spoke} ${joinList(selectShown.map(({ phrase }) => phrase))}${openingClause(analysis)}.`,
    [...citations, ...first],
  )
}

/** Two decisions (three where they are short) and two tasks, in one sentence. Null where nothing is sure. */
function outcomeSentence(analysis: Analysis): SummarySentence | null {
  const { ranked } = analysis
  const outcomes = sureOutcomes(analysis)
  const scores = new Map(ranked.map(({ id, score }) => [id, score]))
  const evidenceScore = ({ evidence }: { evidence: SpokenSentence }) => scores.get(evidence.id) ?? -1
  const decisions = shown(outcomes.decisions.toSorted((a, b) => evidenceScore(b) - evidenceScore(a)))
  const tasks = outcomes.actionItems.toSorted((a, b) => vagueness(a) - vagueness(b)).slice(0, 2)
  const parts: string[] = []
  if (decisions.length > 0)
    parts.push(`decided: ${joinList(decisions.map((it) => `${quote(it.text)} (${it.evidence.speaker.label})`))}`)
  if (tasks.length > 0) {
    const texts = tasks.map(({ text, taker, owner = taker?.label }) =>
      owner ? `${taker?.label ?? owner} (${quote(text)})` : quote(text),
    )
    parts.push(`next ${tasks.length > 1 ? 'steps' : 'step'}: ${joinList(texts)}`)
  }
  if (parts.length === 0) return null
  return {
    text: `${capitalize(parts.join('; '))}.`,
    citations: [...decisions, ...tasks].flatMap((it) => it.citations),
    basis: 'speech',
    role: 'outcome',
  }
}

/** The first two or three, in the order in which they were said. */
function shown<T extends { text: string; evidence: SpokenSentence }>(items: readonly T[]): T[] {
  const wordsIn = (some: readonly T[]) => some.reduce((sum, { evidence }) => sum + evidence.words.length, 0)
  const three = items.slice(0, 3)
  const chosen = wordsIn(three) <= outcomeWordsMax ? three : items.slice(0, 2)
  return chosen.toSorted((a, b) => a.evidence.id - b.evidence.id)
}
const outcomeWordsMax = 36

/** "I'll call him" says less than a task with a date and an object. Higher means vaguer. */
function vagueness({ text, due, evidence }: { text: string; due?: string; evidence: SpokenSentence }): number {
  const isBare = evidence.words.length < 8 && /\b(?:him|her|them|it|that|this|those)\b/i.test(text)
  return Number(!due) + Number(isBare)
}

/** Facts for meetings with too little to quote, the most interesting first. */
function paddingSentences(analysis: Analysis): SummarySentence[] {
  const { record, outcomes } = analysis
  const all = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  const [most] = byWordsSpoken(record.speakers)
  const facts: SummarySentence[] = []
  if (most) {
    facts.push(
      recordFact(
        `The record holds ${withCount(record.entryCount, 'entry')} with ${withCount(record.wordCount, 'word')} from ${record.speakers.length === 1 ? 'one person' : `${record.speakers.length} people`}.`,
        all,
      ),
    )
  } else facts.push(recordFact('There is nothing yet that could be summarized.'))
  if (outcomes.decisions.length === 0) facts.push(recordFact('No explicit decision was recorded.', all))
  if (outcomes.actionItems.length === 0) facts.push(recordFact('No explicit action item was recorded.', all))
  if (most)
    facts.push(
      recordFact(
        `${asSubject(most.label)} spoke most, with ${wordShare(most, record)} of the words.`,
        most.entries.slice(0, 3),
      ),
    )
  facts.push(recordFact('This summary adds nothing that the transcript does not hold.', all))
  facts.push(recordFact('More can be said once more has been recorded.', all))
  return facts.map((it) => ({ ...it, padding: true }))
}
