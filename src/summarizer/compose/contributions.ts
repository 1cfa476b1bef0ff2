// The analysis of a meeting in, a short text about each speaker's part out, within a number of words.

import { type Analysis, byWordsSpoken } from '../analysis.ts'
import type { RankedSentence } from '../ranking/rank-sentences.ts'
import { findTopics } from '../ranking/topics.ts'
import type { Speaker } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import { countWords } from '../text/word-counts.ts'
import { peopleQuotedMax } from './detailed-quotes.ts'
import type { Frames } from './frames/english.ts'
import { joinList } from './frames/frames.ts'
import { quote, recordFact } from './reported-speech.ts'
import { shareText } from './share-text.ts'

/** One sentence about one person or a group; `speakers` are the people it names, `quotes` what it quotes of a person. */
export type Contribution = { sentence: SummarySentence; speakers: Speaker[]; quotes?: RankedSentence[] }

/** The best sentences of each person, best first. */
export type SentencesBySpeaker = ReadonlyMap<Speaker, RankedSentence[]>

const entriesCited = 6
const groupSize = 25
/** With more people each has only a name in a group: a line for each would leave no words for what was said. */
const topicsForSpeakersMax = 30

/**
 * The parts of all speakers, in as much detail as `wordsWanted` allows. Tried in this order: a sentence of each person,
 * the topics of each, full names in groups, first names in groups. Then whatever names all within `wordsMax`, and last
 * as many names as fit with the number of the rest.
 */
export function writeContributions(
  analysis: Analysis,
  best: SentencesBySpeaker,
  { wordsMax, wordsWanted }: { wordsMax: number; wordsWanted: number },
): Contribution[] {
  const { record } = analysis
  const named = () => inGroups(analysis, fullName)
  const ways = [
    () => withSentences(analysis, best),
    () => withTopics(analysis),
    named,
    () => (areDistinct(record.speakers.map(firstNames)) ? inGroups(analysis, firstNames) : tooLong),
  ]
  for (const way of ways) {
    const parts = way()
    if (wordsIn(parts) <= wordsWanted) return parts
  }
  const all = named()
  return wordsIn(all) <= wordsMax ? all : asManyAsFit(analysis, wordsMax)
}

const areDistinct = (names: readonly string[]) => new Set(names).size === names.length

function wordsIn(parts: readonly Contribution[]): number {
  let words = 0
  for (const { sentence } of parts) words += Math.max(...countWords(sentence.text))
  return words
}

function withSentences({ record, frames }: Analysis, best: SentencesBySpeaker): Contribution[] {
  // With more speakers no sentence fits, so none is written.
  if (record.speakers.length > peopleQuotedMax) return tooLong
  return byWordsSpoken(record.speakers).map((speaker) => {
    const quotes = best.get(speaker) ?? []
    return { sentence: quotedPart(speaker, quotes, { record, frames }), speakers: [speaker], quotes }
  })
}

/** "Ann (38%): “...”; “...”." */
export function quotedPart(
  speaker: Speaker,
  quotes: readonly RankedSentence[],
  { record, frames }: Pick<Analysis, 'record' | 'frames'>,
): SummarySentence {
  const subject = `${speaker.heading} (${shareText(speaker, { record, frames })})`
  if (quotes.length === 0) return withoutQuote(speaker, subject, frames)
  const texts = quotes.map(({ text }) => quote(text))
  const citations = [...new Set(quotes.flatMap(({ entries }) => entries))]
  return { text: `${subject}: ${texts.join('; ')}.`, citations, basis: 'speech', speaker: speaker.name }
}
const tooLong: Contribution[] = [{ sentence: recordFact('many '.repeat(1000)), speakers: [] }]

function withoutQuote(speaker: Speaker, subject: string, frames: Frames): SummarySentence {
  const citations = speaker.entries.slice(0, entriesCited)
  const text = speaker.wordsSpoken === 0 ? frames.noWords(subject) : frames.shortAnswers(subject)
  return { ...recordFact(text, citations), speaker: speaker.name }
}

const fullName = ({ heading }: Speaker) => heading
const firstNames = ({ label }: Speaker) => label.split(' ')[0] ?? label

function withTopics({ record, frames }: Analysis): Contribution[] {
  if (record.speakers.length > topicsForSpeakersMax) return tooLong
  const sentences = Map.groupBy(record.sentences, ({ speaker }) => speaker)
  return byWordsSpoken(record.speakers).map((speaker) => {
    const topics = findTopics({ ...record, sentences: sentences.get(speaker) ?? [] }, 2)
    const who = `${fullName(speaker)} (${shareText(speaker, { record, frames })})`
    const phrases = topics.map(({ phrase }) => phrase)
    const text = topics.length > 0 ? frames.spokeAbout(who, joinList(phrases, frames)) : frames.gaveShortAnswers(who)
    const citations =
      topics.length > 0 ? topics.flatMap(({ entries }) => entries.slice(0, 3)) : speaker.entries.slice(0, entriesCited)
    return {
      sentence: recordFact(text, citations),
      speakers: [speaker],
    }
  })
}

function inGroups({ record, frames }: Analysis, nameForm: (speaker: Speaker) => string): Contribution[] {
  const ordered = byWordsSpoken(record.speakers)
  const groups: Speaker[][] = []
  for (let from = 0; from < ordered.length; from += groupSize) groups.push(ordered.slice(from, from + groupSize))
  return groups.map((speakers, i) => speakerGroup(speakers, { frames, nameForm, isFirst: i === 0 }))
}

type Group = { frames: Frames; nameForm: (speaker: Speaker) => string; isFirst: boolean }

function speakerGroup(speakers: Speaker[], { frames, nameForm, isFirst }: Group): Contribution {
  const names = joinList(speakers.map(nameForm), frames)
  return {
    sentence: recordFact(
      isFirst ? frames.mostWords(names) : frames.fewerWords(names),
      speakers.flatMap(({ entries }) => entries.slice(0, 1)),
    ),
    speakers,
  }
}

/**
 * A thousand names do not fit into 700 words. Those who spoke most are named; the list of participants has everybody.
 */
function asManyAsFit({ record, frames }: Analysis, wordsMax: number): Contribution[] {
  const ordered = byWordsSpoken(record.speakers)
  const nameForm = areDistinct(ordered.map(firstNames)) ? firstNames : fullName
  const named: Speaker[] = []
  let words = 24
  for (const speaker of ordered) {
    words += Math.max(...countWords(nameForm(speaker)))
    if (words > wordsMax) break
    named.push(speaker)
  }
  const rest = ordered.slice(named.length)
  const citations = rest.slice(0, entriesCited).flatMap(({ entries }) => entries.slice(0, 1))
  return [
    speakerGroup(named, { frames, nameForm, isFirst: true }),
    {
      sentence: recordFact(frames.otherPeople(rest.length), citations),
      speakers: rest,
    },
  ]
}
