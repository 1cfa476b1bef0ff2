// The analysis of a long meeting in, a line for each part of it out: when it was, who spoke most, and of what.

import type { Analysis } from '../analysis.ts'
import { stem } from '../language/words.ts'
import { longSentencesMin } from '../ranking/select-sentences.ts'
import { findTopics, type Topic } from '../ranking/topics.ts'
import { parseTimestamp, type Speaker, type SpokenSentence } from '../sentences/meeting-record.ts'
import type { SummarySentence } from '../summary.ts'
import { speakersWithTopicsMax } from './contributions.ts'
import { joinList } from './frames/frames.ts'
import { recordFact } from './reported-speech.ts'

const sentencesOfPart = 50
const partsMin = 3
const partsMax = 6
const topicsConsidered = 60
const topicsOfPart = 8
const peopleOfPart = 2
const entriesOfTopic = 2

type Part = { sentences: SpokenSentence[]; topics: Topic[] }

/**
 * Empty for a short meeting, for one of many people, and where a part would be within one entry.
 * @param named the first topics of the meeting, which the text names before; here they stand only where nothing else does
 */
export function courseOfMeeting(analysis: Analysis, named: number): SummarySentence[] {
  const { record, frames } = analysis
  if (record.sentences.length < longSentencesMin || record.speakers.length > speakersWithTopicsMax) return []
  const parts = partsOf(analysis, named)
  const ranges = parts.map(({ sentences }) => ({ from: sentences[0]?.entry ?? 0, to: sentences.at(-1)?.entry ?? 0 }))
  if (ranges.some(({ from, to }) => from === to)) return []
  const places = minutesOf(ranges, analysis) ?? ranges.map(({ from, to }) => frames.turns(from + 1, to + 1))
  return parts.flatMap((part, i) => {
    if (part.topics.length === 0) return []
    // Of two people both would stand in each line.
    const people = record.speakers.length > peopleOfPart ? speakersOf(part).map(({ label }) => label) : []
    const about = part.topics.map(({ phrase }) => phrase)
    const text = frames.inPart(places[i] ?? '', joinList(people, frames), joinList(about, frames))
    const citations = part.topics.flatMap(({ entries }) => entries.slice(0, entriesOfTopic))
    return recordFact(text, citations)
  })
}

/** Each topic stands in the part in which it was said most, with its entries there. */
function partsOf({ record, likely }: Analysis, named: number): Part[] {
  const count = Math.min(partsMax, Math.max(partsMin, Math.floor(record.sentences.length / sentencesOfPart)))
  const start = (part: number) => Math.round((part * record.sentences.length) / count)
  const parts = Array.from({ length: count }, (_, part) => {
    const sentences = record.sentences.slice(start(part), start(part + 1))
    const said = findTopics({ ...record, sentences }, topicsConsidered, likely)
    return {
      sentences,
      said: new Map(said.map((topic) => [keyOf(topic), topic])),
      own: [] as Topic[],
      named: [] as Topic[],
    }
  })
  for (const [i, topic] of findTopics(record, topicsConsidered, likely).entries()) {
    const [most] = parts.toSorted((a, b) => countOf(b.said.get(keyOf(topic))) - countOf(a.said.get(keyOf(topic))))
    const here = most?.said.get(keyOf(topic))
    if (most && here) (i < named ? most.named : most.own).push(here)
  }
  return parts.map(({ sentences, own, named }) => ({
    sentences,
    topics: own.length > 0 ? own.slice(0, topicsOfPart) : named,
  }))
}

/** "Battery" and "batteries" are one topic. */
const keyOf = ({ phrase }: Topic) => phrase.toLowerCase().split(' ').map(stem).join(' ')
const countOf = (topic: Topic | undefined) => topic?.thirds.reduce((sum, { count }) => sum + count, 0) ?? 0

function speakersOf({ sentences }: Part): Speaker[] {
  const words = new Map<Speaker, number>()
  for (const { speaker, words: said } of sentences) words.set(speaker, (words.get(speaker) ?? 0) + said.length)
  return [...words]
    .sort(([, a], [, b]) => b - a)
    .slice(0, peopleOfPart)
    .map(([speaker]) => speaker)
}

type Range = { from: number; to: number }

/** "Minutes 10 to 20" for each part. Null where an entry at the edge of one has no time, or a later part an earlier time. */
function minutesOf(ranges: readonly Range[], { record, request, frames }: Analysis): string[] | null {
  const edges = ranges.flatMap(({ from, to }) =>
    [from, to].map((entry) => parseTimestamp(request.transcript[entry]?.timestamp ?? '')),
  )
  const minutes = edges.map((second) => (second === null ? Number.NaN : minuteOf(second, record.firstSecond ?? 0)))
  const isInOrder = minutes.every((minute, i) => minute >= (minutes[i - 1] ?? 0))
  if (!isInOrder || ranges.some((_, i) => minutes[2 * i] === minutes[2 * i + 1])) return null
  return ranges.map((_, i) => frames.minutes(minutes[2 * i] ?? 0, minutes[2 * i + 1] ?? 0))
}

const minuteOf = (second: number, firstSecond: number) => Math.floor((second - firstSecond) / 60)
