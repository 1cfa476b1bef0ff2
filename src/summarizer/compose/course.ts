// The analysis of a long meeting in, a line for each part of it out: when it was, who spoke most, and of what.

import type { Analysis } from '../analysis.ts'
import { findTopics, type Topic } from '../ranking/topics.ts'
import { parseTimestamp, type Speaker, type SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import { joinList } from './frames/frames.ts'
import { recordFact } from './reported-speech.ts'

const sentencesMin = 100
/** With more people the names would be longer than what they spoke of. */
const speakersMax = 12
const sentencesOfPart = 50
const partsMin = 3
const partsMax = 6
const topicsConsidered = 60
const topicsOfPart = 8
const peopleOfPart = 2
const entriesOfTopic = 2

type Part = { sentences: SpokenSentence[]; topics: Topic[] }

/** Empty for a short meeting, and for one of many people. @param named so many topics are named already */
export function courseOfMeeting(analysis: Analysis, named: number): SummarySentence[] {
  const { record, frames } = analysis
  if (record.sentences.length < sentencesMin || record.speakers.length > speakersMax) return []
  return partsOf(analysis, named).map((part) => {
    const [who, about] = [speakersOf(part).map(({ label }) => label), part.topics.map(({ phrase }) => phrase)]
    const text = frames.inPart(placeOf(part, analysis), joinList(who, frames), joinList(about, frames))
    return recordFact(
      text,
      part.topics.flatMap(({ entries }) => entries.slice(0, entriesOfTopic)),
    )
  })
}

/** Each topic stands in the part in which it was said most, with its entries there. */
function partsOf({ record, likely }: Analysis, named: number): Part[] {
  const count = Math.min(partsMax, Math.max(partsMin, Math.floor(record.sentences.length / sentencesOfPart)))
  const start = (part: number) => Math.round((part * record.sentences.length) / count)
  const parts = Array.from({ length: count }, (_, part) => {
    const sentences = record.sentences.slice(start(part), start(part + 1))
    const said = findTopics({ ...record, sentences }, topicsConsidered, likely)
    return { sentences, said: new Map(said.map((topic) => [keyOf(topic), topic])), topics: [] as Topic[] }
  })
  for (const topic of findTopics(record, topicsConsidered, likely).slice(named)) {
    const [most] = parts.toSorted((a, b) => countOf(b.said.get(keyOf(topic))) - countOf(a.said.get(keyOf(topic))))
    const here = most?.said.get(keyOf(topic))
    if (most && here && most.topics.length < topicsOfPart) most.topics.push(here)
  }
  return parts.filter(({ topics }) => topics.length > 0)
}

const keyOf = ({ phrase }: Topic) => phrase.toLowerCase()
const countOf = (topic: Topic | undefined) => topic?.thirds.reduce((sum, { count }) => sum + count, 0) ?? 0

function speakersOf({ sentences }: Part): Speaker[] {
  const words = new Map<Speaker, number>()
  for (const { speaker, words: said } of sentences) words.set(speaker, (words.get(speaker) ?? 0) + said.length)
  return [...words]
    .sort(([, a], [, b]) => b - a)
    .slice(0, peopleOfPart)
    .map(([speaker]) => speaker)
}

/** "Minutes 10 to 20", or "Turns 91 to 180" where the entries have no times. */
function placeOf({ sentences }: Part, { record, request, frames }: Pick<Analysis, 'record' | 'request' | 'frames'>) {
  const [first, last] = [sentences[0]?.entry ?? 0, sentences.at(-1)?.entry ?? 0]
  const secondOf = (entry: number) => parseTimestamp(request.transcript[entry]?.timestamp ?? '')
  const [from, to] = [secondOf(first), secondOf(last)]
  const minute = (second: number) => Math.floor((second - (record.firstSecond ?? 0)) / 60)
  if (from === null || to === null || minute(to) <= minute(from)) return frames.turns(first + 1, last + 1)
  return frames.minutes(minute(from), minute(to))
}
