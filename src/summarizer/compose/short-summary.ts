// The analysis of a meeting in, the four to six sentences of a short summary out.

import { type Analysis, byWordsSpoken, sureOutcomes, withoutOutcomes } from '../analysis.ts'
import { stem } from '../language/words.ts'
import { type Coverage, coverage } from '../ranking/coverage.ts'
import type { RankedSentence } from '../ranking/rank-sentences.ts'
import { selectCovering, tolerableTest } from '../ranking/select-sentences.ts'
import type { Topic } from '../ranking/topics.ts'
import type { SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import { countSentences } from '../text/sentence-counts.ts'
import { joinList } from './frames/frames.ts'
import { outlineSentence, outlineTopics } from './outline.ts'
import { openingClause, personalSentence } from './personality.ts'
import { asSubject, quote, quoteAsWritten, recordFact, reportSpeech } from './reported-speech.ts'
import { shareText } from './share-text.ts'

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
  const opening = [openingSentence(analysis), outlineSentence(outline, analysis.frames)].filter((it) => it !== null)
  const closing = [outcomeSentence(analysis), personal && { ...personal, role: 'personal' as const }].filter(
    (it) => it !== null,
  )
  const count = shortSentencesMax - opening.length - closing.length
  const cover = coveredBy([...analysis.topics.slice(0, topicsShown), ...outline], analysis)
  const chosen = selectCovering(withoutOutcomes(analysis).filter(isShortEnough), {
    count,
    tolerableUpTo: shortSentencesMin - opening.length - closing.length,
    isTolerable: tolerableTest(analysis.record),
    cover,
  })
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
  const { record, topics, frames } = analysis
  const title = record.title && quoteAsWritten(record.title)
  if (record.entryCount === 0) return recordFact(frames.noTranscript(title))
  const people = byWordsSpoken(record.speakers).map(({ label }) => label)
  const who = joinList(people, frames, people.length > peopleShown + 1 ? peopleShown : people.length)
  const shown = topics.slice(0, topicsShown)
  const phrases = shown.map(({ phrase }) => phrase)
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  const isSeveral = people.length > 1
  const clause =
    shown.length === 0 ? frames.spoke(who, isSeveral) : frames.discussed(who, joinList(phrases, frames), isSeveral)
  const text = `${frames.inMeeting(title)} ${clause}${openingClause(analysis)}.`
  return recordFact(text, [...shown.flatMap(({ entries }) => entries.slice(0, 3)), ...first])
}

/** Two decisions (three where they are short) and two tasks, in one sentence. Null where nothing is sure. */
function outcomeSentence(analysis: Analysis): SummarySentence | null {
  const { ranked, frames } = analysis
  const outcomes = sureOutcomes(analysis)
  const scores = new Map(ranked.map(({ id, score }) => [id, score]))
  const evidenceScore = ({ evidence }: { evidence: SpokenSentence }) => scores.get(evidence.id) ?? -1
  const decisions = shown(outcomes.decisions.toSorted((a, b) => evidenceScore(b) - evidenceScore(a)))
  const tasks = outcomes.actionItems.toSorted((a, b) => vagueness(a) - vagueness(b)).slice(0, 2)
  const parts: string[] = []
  if (decisions.length > 0) parts.push(`${frames.decided}: ${joinList(decisions.map(decisionText), frames)}`)
  if (tasks.length > 0) {
    const byOwner = Map.groupBy(tasks, ({ taker, owner }) => taker?.label ?? owner ?? '')
    const texts = [...byOwner].flatMap(([owner, its]) => {
      const quotes = its.map(({ text }) => quote(text))
      return owner === '' ? quotes : [`${owner} (${joinList(quotes, frames)})`]
    })
    parts.push(`${frames.nextSteps(tasks.length)}: ${joinList(texts, frames)}`)
  }
  if (parts.length === 0) return null
  return {
    text: `${parts.join('; ')}.`,
    citations: [...decisions, ...tasks].flatMap((it) => it.citations),
    basis: 'speech',
    role: 'outcome',
  }
}

const decisionText = ({ text, evidence }: { text: string; evidence: SpokenSentence }) =>
  `${quote(text)} (${evidence.speaker.label})`

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
  const { record, outcomes, frames } = analysis
  const { count } = frames
  const all = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  const [most] = byWordsSpoken(record.speakers)
  const people = count.person(record.speakers.length)
  const facts = [
    most
      ? recordFact(frames.recordHolds(count.entry(record.entryCount), count.word(record.wordCount), people), all)
      : recordFact(frames.nothingYet),
  ]
  if (outcomes.decisions.length === 0) facts.push(recordFact(frames.noDecision, all))
  if (outcomes.actionItems.length === 0) facts.push(recordFact(frames.noTask, all))
  if (most) {
    const text = frames.spokeMost(asSubject(most.label, frames), shareText(most, analysis))
    facts.push(recordFact(text, most.entries.slice(0, 3)))
  }
  facts.push(recordFact(frames.addsNothing, all), recordFact(frames.moreLater, all))
  return facts.map((it) => ({ ...it, padding: true }))
}
