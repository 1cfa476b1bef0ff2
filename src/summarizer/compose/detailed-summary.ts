// The analysis of a meeting in, the sections of a detailed summary out: 400 to 700 words.

import { type Analysis, byWordsSpoken, withoutOutcomes } from '../analysis.ts'
import type { RankedSentence } from '../ranking/rank-sentences.ts'
import { containsSentence, selectNext, withNeighbour } from '../ranking/select-sentences.ts'
import type { Speaker, SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySection, SummarySentence } from '../summary.ts'
import { type Composition, composition } from './composition.ts'
import { type Contribution, writeContributions } from './contributions.ts'
import { detailedPadding } from './padding.ts'
import { personalSection } from './personality.ts'
import { asSubject, joinList, quote, quoteAsWritten, recordFact, reportSpeech, withCount } from './reported-speech.ts'

/**
 * The promised length is 400 to 700 words. The text stays well inside, because readers may count in other ways than our
 * four.
 */
const padBelowWords = 430
const growToWords = 575
const hardWordsMax = 692
/** Reserved for headings and the sentences on decisions and tasks. With hundreds of people every word is needed. */
const besidesWords = 36
const crowd = 100

export const headings = {
  overview: 'Overview',
  points: 'Main points',
  contributions: 'Contributions',
  decisions: 'Decisions',
  actions: 'Action items',
  questions: 'Questions raised',
  about: 'About this record',
} as const

export type DetailedSummary = { sections: SummarySection[]; contributions: Contribution[] }

/**
 * 400 to 700 words by every usual way of counting. Each person's part comes first; the other sections grow afterwards.
 */
export function detailedSummary(analysis: Analysis): DetailedSummary {
  const personal = personalSection(analysis)
  const { overview, points, contributions, decisions, actions, questions, about } = headings
  const order = [
    overview,
    points,
    contributions,
    decisions,
    actions,
    questions,
    ...(personal ? [personal.heading] : []),
    about,
  ]
  const text = composition(order)
  const best = bestBySpeaker(analysis)
  for (const sentence of overviewSentences(analysis)) text.add(overview, sentence, hardWordsMax)
  const parts = writeContributions(analysis, best, hardWordsMax - text.mostWords() - besidesWords)
  for (const { sentence } of parts) text.add(contributions, sentence, hardWordsMax)
  if (parts.length === 0)
    text.add(contributions, recordFact('Nobody has spoken yet, so there is no contribution to describe.'), hardWordsMax)
  addOutcomes(text, analysis)
  for (const sentence of personal?.sentences ?? []) text.add(personal?.heading ?? about, sentence, growToWords)
  grow(text, analysis, best)
  for (const sentence of detailedPadding(analysis)) {
    if (text.fewestWords() >= padBelowWords) break
    text.add(about, sentence, hardWordsMax)
  }
  return { sections: inReadingOrder(text.sections(), analysis), contributions: parts }
}

/** Each person's part as in a detailed summary, for the list of participants of a short one. */
export const listContributions = (analysis: Analysis): Contribution[] =>
  writeContributions(analysis, bestBySpeaker(analysis), hardWordsMax - 120)

function bestBySpeaker(analysis: Analysis): Map<Speaker, RankedSentence[]> {
  const { ranked, record } = analysis
  const byId = new Map(ranked.map((it) => [it.id, it]))
  const all = Map.groupBy(ranked, ({ speaker }) => speaker)
  const beside = Map.groupBy(withoutOutcomes(analysis), ({ speaker }) => speaker)
  const best = new Map<Speaker, RankedSentence[]>()
  for (const speaker of record.speakers) {
    const own: RankedSentence[] = []
    for (let i = 0; i < 6; i += 1) {
      const hasAsked = own.some(({ isQuestion }) => isQuestion)
      const fits = ({ isQuestion, quality }: RankedSentence) =>
        own.length === 0 || (quality > fragmentQuality && !(isQuestion && hasAsked))
      const next = selectNext(beside.get(speaker) ?? all.get(speaker) ?? [], own, fits)
      if (!next) break
      own.push(withNeighbour(next, byId))
    }
    best.set(speaker, own)
  }
  return best
}

function overviewSentences({ record, topics }: Analysis): SummarySentence[] {
  const where = record.title ? `the meeting ${quoteAsWritten(record.title)}` : 'this meeting'
  if (record.entryCount === 0) return [recordFact(`No transcript has been recorded for ${where}.`)]
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  const { speakers, entryCount, wordCount, firstSecond, lastSecond } = record
  const minutes = firstSecond !== null && lastSecond !== null ? Math.round((lastSecond - firstSecond) / 60) : 0
  const over = minutes > 0 ? ` over ${withCount(minutes, 'minute')}` : ''
  const found = [
    recordFact(
      `In ${where}, ${peopleText(speakers)} spoke ${withCount(wordCount, 'word')} in ${withCount(entryCount, 'turn')}${over}.`,
      first,
    ),
  ]
  const shown = topics.slice(0, speakers.length > crowd ? 2 : 6)
  if (shown.length > 0) {
    const noun = shown.length === 1 ? 'The main topic was' : 'The main topics were'
    found.push(
      recordFact(
        `${noun} ${joinList(shown.map(({ phrase }) => phrase))}.`,
        shown.flatMap(({ entries }) => entries.slice(0, 3)),
      ),
    )
  }
  return found
}

function peopleText(speakers: readonly Speaker[]): string {
  const names = byWordsSpoken(speakers).map(({ label }) => label)
  return names.length <= 6 ? joinList(names) : `${names.length} people`
}

/** The decisions and tasks, or a sentence that says there were none. */
function addOutcomes(text: Composition, { outcomes, record }: Analysis) {
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  // Even with hundreds of names one sentence each must fit.
  const wordsMax = Math.max(growToWords - 90, text.mostWords() + 25)
  for (const { text: words, citations, evidence } of outcomes.decisions.slice(0, 6)) {
    const how = citations.length > 1 ? 'made a proposal, which was accepted' : 'stated a decision'
    text.add(
      headings.decisions,
      { text: `${asSubject(evidence.speaker.label)} ${how}: ${quote(words)}.`, citations, basis: 'speech' },
      wordsMax,
    )
  }
  if (!text.has(headings.decisions))
    text.add(headings.decisions, noOutcome('decision', outcomes.decisions.length, first), hardWordsMax)
  for (const { text: words, taker, due, citations } of outcomes.actionItems.slice(0, 8)) {
    const whose = taker ? `Owner ${taker.label}` : 'No owner was named'
    const when = due ? `due ${due}` : 'without a date'
    text.add(headings.actions, { text: `${whose}, ${when}: ${quote(words)}.`, citations, basis: 'speech' }, wordsMax)
  }
  if (!text.has(headings.actions))
    text.add(headings.actions, noOutcome('action item', outcomes.actionItems.length, first), hardWordsMax)
}

function noOutcome(noun: string, found: number, citations: number[]): SummarySentence {
  if (found === 0) return recordFact(`No explicit ${noun} was recorded.`, citations)
  return recordFact(`There is no room here for ${withCount(found, noun)}; the list has them all.`, citations)
}

/** Adds main points, further sentences of the speakers, and questions in turn until the text is long enough. */
function grow(text: Composition, analysis: Analysis, best: ReadonlyMap<Speaker, RankedSentence[]>) {
  const { record } = analysis
  const ranked = withoutOutcomes(analysis).filter(({ quality }) => quality > fragmentQuality)
  const byId = new Map(analysis.ranked.map((it) => [it.id, it]))
  const hasOwnPart = record.speakers.length <= peopleGrownMax
  const chosen: RankedSentence[] = [...best.values()].flatMap((own) => own.slice(0, hasOwnPart ? 1 : 0))
  const questions = bestQuestions(analysis)
  const speakers = hasOwnPart ? byWordsSpoken(record.speakers) : []
  const say = (heading: string, it: RankedSentence | undefined) => {
    if (!it || chosen.some((other) => containsSentence(other, it) || containsSentence(it, other))) return
    chosen.push(it)
    text.add(heading, reportSpeech(it, { record, isFurther: heading === headings.contributions }), growToWords)
  }
  for (let round = 0; round < 8 && text.mostWords() < growToWords - 12; round += 1) {
    const isHere = ({ position }: RankedSentence) =>
      position >= round / stretches && position <= (round + 1) / stretches
    const point = round < stretches ? selectNext(ranked, chosen, isHere) : selectNext(ranked, chosen)
    if (point && (round >= stretches || point.score > weakScore)) say(headings.points, point)
    const question = questions[round]
    const asRanked = question && byId.get(question.id)
    if (question && !chosen.some(({ id }) => id === question.id)) {
      if (asRanked) chosen.push(asRanked)
      text.add(headings.questions, reportSpeech(question, analysis), growToWords)
    }
    if (round % 2 === 1)
      for (const speaker of speakers) say(headings.contributions, best.get(speaker)?.[(round + 1) / 2])
    else say(headings.points, selectNext(ranked, chosen))
  }
}
/** With more people than this, each has one sentence at most. */
const peopleGrownMax = 14
const stretches = 5
const weakScore = 0.7
/** A sentence of lower quality is a fragment, or refers to something that is not there. */
const fragmentQuality = -1
const questionsShown = 4

/** The most important questions, in the order in which they were asked. */
function bestQuestions({ outcomes, ranked }: Analysis): SpokenSentence[] {
  const scores = new Map(ranked.map(({ id, score, disfluency }) => [id, score - 3 * disfluency]))
  const asTasks = new Set(outcomes.actionItems.map(({ evidence }) => evidence.id))
  return outcomes.questions
    .map(({ evidence }) => evidence)
    .filter(({ id }) => (scores.get(id) ?? -1) > -1 && !asTasks.has(id))
    .toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0))
    .slice(0, questionsShown)
    .sort((a, b) => a.id - b.id)
}

/** Main points in the order of the meeting. Each person's sentences together, the person who spoke most first. */
function inReadingOrder(sections: SummarySection[], { record }: Analysis): SummarySection[] {
  const ranks = new Map(byWordsSpoken(record.speakers).map(({ name }, i) => [name, i]))
  const first = ({ citations }: SummarySentence) => citations[0] ?? 0
  const rank = ({ speaker }: SummarySentence) => ranks.get(speaker ?? '') ?? ranks.size
  return sections.map(({ heading, sentences }) => {
    if (heading === headings.points) return { heading, sentences: sentences.toSorted((a, b) => first(a) - first(b)) }
    if (heading === headings.contributions)
      return { heading, sentences: sentences.toSorted((a, b) => rank(a) - rank(b)) }
    return { heading, sentences }
  })
}
