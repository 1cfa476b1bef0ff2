// The analysis of a meeting in, a short text about each speaker's part out, within a number of words.

import { type Analysis, byWordsSpoken } from '../analysis.ts'
import type { RankedSentence } from '../ranking/rank-sentences.ts'
import { longSentencesMin } from '../ranking/select-sentences.ts'
import { findTopics, type Topic } from '../ranking/topics.ts'
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
 * the topics of each, fewer topics of each, full names in groups, first names in groups. Then whatever names all within
 * `wordsMax`, and last as many names as fit with the number of the rest.
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
    () => withTopics(analysis, topicsWithoutQuote),
    () => withTopics(analysis, fewTopics),
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

function withSentences({ record, frames, topics }: Analysis, best: SentencesBySpeaker): Contribution[] {
  // With more speakers no sentence fits, so none is written.
  if (record.speakers.length > peopleQuotedMax) return tooLong
  return byWordsSpoken(record.speakers).map((speaker) => {
    const quotes = best.get(speaker) ?? []
    const sentence =
      quotes.length > 0 || speaker.wordsSpoken === 0
        ? quotedPart(speaker, quotes, { record, frames, topics })
        : topicsPart(speaker, { record, frames }, topicsWithoutQuote)
    return { sentence, speakers: [speaker], quotes }
  })
}

/** "Ann (38%: batteries, chips): “...”; “...”." */
export function quotedPart(
  speaker: Speaker,
  quotes: readonly RankedSentence[],
  { record, frames, topics }: Pick<Analysis, 'record' | 'frames' | 'topics'>,
): SummarySentence {
  const share = shareText(speaker, { record, frames })
  const own = quotes.length > 0 ? ownTopics(speaker, { record, topics }) : []
  const about = own.map(({ phrase }) => phrase).join(', ')
  const subject = `${speaker.heading} (${about === '' ? share : `${share}: ${about}`})`
  if (quotes.length === 0) return withoutQuote(speaker, subject, frames)
  const texts = quotes.map(({ text }) => quote(text))
  const citations = [...new Set([...quotes, ...own].flatMap(({ entries }) => entries.slice(0, entriesOfTopic)))]
  return { text: `${subject}: ${texts.join('; ')}.`, citations, basis: 'speech', speaker: speaker.name }
}

/** What somebody spoke about beside the topics of all. In a short meeting, or with many people, nothing. */
function ownTopics(speaker: Speaker, { record, topics }: Pick<Analysis, 'record' | 'topics'>): Topic[] {
  if (record.sentences.length < longSentencesMin || record.speakers.length > speakersWithTopicsMax) return []
  const known = new Set(topics.flatMap(({ phrase }) => phrase.toLowerCase().split(' ')))
  const own = record.sentences.filter((it) => it.speaker === speaker)
  return findTopics({ ...record, sentences: own }, topicsConsidered)
    .filter(
      ({ phrase, entries }) =>
        entries.length > 1 &&
        !phrase
          .toLowerCase()
          .split(' ')
          .some((it) => known.has(it)),
    )
    .slice(0, topicsOfSpeaker)
}
/** With more people, what each spoke of would be longer than what was said. */
export const speakersWithTopicsMax = 12
const topicsConsidered = 12
const topicsOfSpeaker = 6
const topicsWithoutQuote = 4
const fewTopics = 2
const entriesOfTopic = 3

const tooLong: Contribution[] = [{ sentence: recordFact('many '.repeat(1000)), speakers: [] }]

function withoutQuote(speaker: Speaker, subject: string, frames: Frames): SummarySentence {
  const citations = speaker.entries.slice(0, entriesCited)
  const text = speaker.wordsSpoken === 0 ? frames.noWords(subject) : frames.shortAnswers(subject)
  return { ...recordFact(text, citations), speaker: speaker.name }
}

const fullName = ({ heading }: Speaker) => heading
const firstNames = ({ label }: Speaker) => label.split(' ')[0] ?? label

function withTopics({ record, frames }: Analysis, topics: number): Contribution[] {
  if (record.speakers.length > topicsForSpeakersMax) return tooLong
  return byWordsSpoken(record.speakers).map((speaker) => ({
    sentence: topicsPart(speaker, { record, frames }, topics),
    speakers: [speaker],
  }))
}

/** "Ann (3%) spoke about batteries and the budget." */
function topicsPart(
  speaker: Speaker,
  { record, frames }: Pick<Analysis, 'record' | 'frames'>,
  max: number,
): SummarySentence {
  const own = record.sentences.filter((it) => it.speaker === speaker)
  const topics = findTopics({ ...record, sentences: own }, max)
  const who = `${fullName(speaker)} (${shareText(speaker, { record, frames })})`
  const phrases = topics.map(({ phrase }) => phrase)
  const text = topics.length > 0 ? frames.spokeAbout(who, joinList(phrases, frames)) : frames.gaveShortAnswers(who)
  const citations =
    topics.length > 0 ? topics.flatMap(({ entries }) => entries.slice(0, 3)) : speaker.entries.slice(0, entriesCited)
  return recordFact(text, citations)
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
