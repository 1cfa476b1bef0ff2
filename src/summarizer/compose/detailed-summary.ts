// The analysis of a meeting in, the sections of a detailed summary out: 400 to 700 words.

import { type Analysis, byWordsSpoken } from '../analysis.ts'
import type { SummarySection, SummarySentence } from '../summary.ts'
import { countWords } from '../text/word-counts.ts'
import { type Composition, composition } from './composition.ts'
import { type Contribution, quotedPart, writeContributions } from './contributions.ts'
import { courseOfMeeting } from './course.ts'
import { chooseQuotes, firstQuotes } from './detailed-quotes.ts'
import type { Frames } from './frames/english.ts'
import { joinList } from './frames/frames.ts'
import { addOutcomes, bestQuestions } from './listed-outcomes.ts'
import { mainPoints } from './main-points.ts'
import { outlineSentence, outlineTopics } from './outline.ts'
import { detailedPadding } from './padding.ts'
import { personalSection } from './personality.ts'
import { quoteAsWritten, recordFact, reportSpeech } from './reported-speech.ts'

/**
 * The promised length is 400 to 700 words. The text stays well inside, because readers may count in other ways than our
 * four.
 */
const padBelowWords = 415
/** Below it what is only tolerable is quoted, too: a few words more than must be, rather than sentences that only fill. */
const quoteBelowWords = 445
const growToWords = 672
const hardWordsMax = 692
/** Reserved for headings and the sentences on decisions and tasks. */
const besidesWords = 40
/** For what was said, where naming everybody leaves so many words. */
const contentWordsMin = 150
const crowd = 100
const topicsShown = 8

export type DetailedSummary = { sections: SummarySection[]; contributions: Contribution[] }

/**
 * 400 to 700 words by every usual way of counting. What must be there comes first: the overview, each person's part,
 * decisions and tasks. Quotations fill the rest.
 */
export function detailedSummary(analysis: Analysis): DetailedSummary {
  const { headings, nobodySpoke } = analysis.frames
  const personal = personalSection(analysis)
  const fixed = composition(Object.values(headings))
  const course = courseOfMeeting(analysis, topicsShown)
  for (const sentence of overviewSentences(analysis, course)) fixed.add(headings.overview, sentence, hardWordsMax)
  for (const sentence of course) fixed.add(headings.course, sentence, hardWordsMax)
  const parts = contributionsWithin(analysis, hardWordsMax - fixed.mostWords() - besidesWords)
  const text = composition(sectionOrder(headings, personal))
  for (const { heading, sentences } of fixed.sections()) for (const it of sentences) text.add(heading, it, hardWordsMax)
  for (const { sentence } of parts) text.add(headings.contributions, sentence, hardWordsMax)
  if (parts.length === 0) text.add(headings.contributions, recordFact(nobodySpoke), hardWordsMax)
  // The course takes no room from decisions, tasks and questions.
  const courseWords = Math.max(...countWords(course.map((it) => it.text).join(' ')))
  const within = (words: number) => Math.min(growToWords, words + courseWords)
  const outcomesMax = within(Math.max(growToWords - 200, text.mostWords() - courseWords + 25))
  addOutcomes(text, analysis, { wordsMax: outcomesMax, hardWordsMax })
  for (const sentence of personal?.sentences ?? []) text.add(personal?.heading ?? '', sentence, growToWords)
  const quoted = new Set(parts.flatMap(({ quotes }) => quotes ?? []).map(({ id }) => id))
  for (const it of bestQuestions(analysis, quoted))
    text.add(headings.questions, reportSpeech(it, analysis), within(growToWords - 150))
  const contributions = addQuotes(text, parts, analysis)
  for (const sentence of detailedPadding(analysis)) {
    if (text.fewestWords() >= padBelowWords) break
    text.add(headings.about, sentence, hardWordsMax)
  }
  return { sections: inReadingOrder(text.sections(), analysis), contributions }
}

/** Each person's part as in a detailed summary, for the list of participants of a short one. */
export const listContributions = (analysis: Analysis): Contribution[] =>
  contributionsWithin(analysis, hardWordsMax - 120)

/** In more detail where that leaves words for what was said; everybody is named in any case. */
function contributionsWithin(analysis: Analysis, wordsMax: number): Contribution[] {
  return writeContributions(analysis, firstQuotes(analysis), { wordsMax, wordsWanted: wordsMax - contentWordsMin })
}

function sectionOrder(headings: Frames['headings'], personal: SummarySection | null): string[] {
  const { about, ...rest } = headings
  return [...Object.values(rest), ...(personal ? [personal.heading] : []), about]
}

/** Fills the text with quotations: the main points, and more of those who spoke much. */
function addQuotes(text: Composition, parts: readonly Contribution[], analysis: Analysis): Contribution[] {
  const { headings } = analysis.frames
  const quotes = chooseQuotes(analysis, {
    quoted: parts.flatMap(({ quotes }) => quotes ?? []),
    words: growToWords - text.mostWords(),
    wordsNeeded: quoteBelowWords - text.fewestWords(),
  })
  const grown = parts.map((part) => {
    const [speaker] = part.speakers
    const own = speaker && quotes.further.get(speaker)
    if (!speaker || !own) return part
    return { ...part, sentence: quotedPart(speaker, [...(part.quotes ?? []), ...own], analysis) }
  })
  text.replace(
    headings.contributions,
    grown.map(({ sentence }) => sentence),
    hardWordsMax,
  )
  for (const sentence of mainPoints(quotes.points, analysis.frames)) text.add(headings.points, sentence, hardWordsMax)
  return grown
}

/** An outline of the topics stands here where the course of the meeting is not told. */
function overviewSentences(analysis: Analysis, course: readonly SummarySentence[]): SummarySentence[] {
  const { record, topics, frames } = analysis
  const title = record.title && quoteAsWritten(record.title)
  if (record.entryCount === 0) return [recordFact(frames.noTranscript(title))]
  const first = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, 8)
  const { speakers, entryCount, wordCount, firstSecond, lastSecond } = record
  const minutes = firstSecond !== null && lastSecond !== null ? Math.round((lastSecond - firstSecond) / 60) : 0
  const { count } = frames
  const people = byWordsSpoken(speakers).map(({ label }) => label)
  const who = people.length <= 6 ? joinList(people, frames) : count.person(people.length)
  const over = minutes > 0 ? count.minute(minutes) : null
  const spoke = frames.spokeFor(who, count.word(wordCount), count.turn(entryCount), over)
  const found = [recordFact(`${frames.inMeeting(title)} ${spoke}.`, first)]
  const shown = topics.slice(0, speakers.length > crowd ? 2 : topicsShown)
  if (shown.length === 0) return found
  const citations = shown.flatMap(({ entries }) => entries.slice(0, 3))
  const phrases = shown.map(({ phrase }) => phrase)
  found.push(recordFact(frames.mainTopics(joinList(phrases, frames), shown.length), citations))
  const rest = outlineTopics(topics.slice(topicsShown), analysis)
  const outline = speakers.length > crowd || course.length > 0 ? null : outlineSentence(rest, frames)
  return outline ? [...found, outline] : found
}

/** Main points in the order of the meeting, each person's part by how much they spoke. */
function inReadingOrder(sections: SummarySection[], { record, frames: { headings } }: Analysis): SummarySection[] {
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
