import { answerQuestion } from '../../src/retrieval/answering/answer-question.ts'
import type { TranscriptPart } from '../../src/retrieval/chunks/chunk.ts'
import { cutTranscript } from '../../src/retrieval/chunks/cut-transcript.ts'
import { spreadOut } from '../../src/retrieval/ranking/spread-out.ts'
import { allWords, coverDensity } from './baselines.ts'
import { buildCollection, type Chunk, type Ranked, type Ranking, toPassage } from './collection.ts'
import type { Meeting } from './data.ts'
import type { Figure } from './figure.ts'
import { mean } from './scores.ts'

/** Chunks with the entries they have parts of, by index, both ends inclusive. */
type SpokenChunk = Chunk & { ordinal: number; first: number; last: number; parts: TranscriptPart[] }

/** QMSum: a hit is a chunk that shares an entry with what answers the question. */
export function measureMeetings(meetings: Meeting[]): Figure[] {
  const chunks = meetings.flatMap(({ entries }, unit) => toChunks(entries, unit))
  const { all, rank } = buildCollection(chunks, ['en'])
  const spans = new Map(all.map((chunk, i) => [chunk, chunks[i] as SpokenChunk]))
  const hits = meetings.flatMap(({ questions }, unit) =>
    questions.map((question) => {
      const isHit = (chunk: Chunk) => {
        const { first, last } = spans.get(chunk as (typeof all)[number]) as SpokenChunk
        return chunk.unit === unit && question.spans.some(([from, to]) => first <= to && last >= from)
      }
      const isAmongFive = (found: Chunk[]) => Number(found.slice(0, 5).some(isHit))
      const everywhere = rank(question.text, () => true)
      const inside = rank(
        question.text,
        () => true,
        (chunk) => chunk.unit === unit,
      )
      return [everywhere, inside].map((ranking) => ({
        ours: isAmongFive(spreadOut(ranking.ranked.slice(0, spreadMax), areOfOnePlace).map(({ chunk }) => chunk)),
        cover: isAmongFive(coverDensity(ranking)),
        all: isAmongFive(allWords(ranking)),
      }))
    }),
  )
  const figure = (name: string, which: number, target: number): Figure => {
    const rows = hits.flatMap((it) => it[which] ?? [])
    const share = (pick: 'ours' | 'cover' | 'all') => mean(rows.map((it) => it[pick]))
    return { name, ours: share('ours'), cover: share('cover'), all: share('all'), target }
  }
  return [
    figure('QMSum: hit@5 in all meetings', 0, 0.55),
    figure('QMSum: hit@5 in the right meeting', 1, 0.87),
    ...measureQuotes(meetings),
  ]
}

/** Asked of one meeting: whether the first quote is from the answer, and by whom, where the question names a speaker. */
function measureQuotes(meetings: Meeting[]): Figure[] {
  const asked = meetings.flatMap(({ entries, questions }) => {
    const chunks = toChunks(entries, 0)
    const { rank } = buildCollection(chunks, ['en'])
    const speakers = [...new Set(entries.map(({ speaker }) => speaker))]
    return questions.map(({ text, spans }) => {
      const seq = firstQuoted(
        chunks,
        text,
        rank(text, () => true),
      )
      const named = speakers.filter((speaker) => text.toLowerCase().includes(speaker.toLowerCase()))
      return {
        isRight: Number(seq !== null && spans.some(([from, to]) => from <= seq && seq <= to)),
        isNaming: named.length > 0,
        isBySpeaker: Number(seq !== null && named.includes(entries[seq]?.speaker ?? '')),
      }
    })
  })
  const naming = asked.filter(({ isNaming }) => isNaming)
  return [
    { name: 'QMSum: first quote from the answer', ours: mean(asked.map(({ isRight }) => isRight)) },
    { name: `the same of ${naming.length} that name a speaker`, ours: mean(naming.map(({ isRight }) => isRight)) },
    { name: 'first quote by that speaker', ours: mean(naming.map(({ isBySpeaker }) => isBySpeaker)) },
  ]
}

const passagesMax = 20

/** The number of the entry that an answer quotes first, or that is closest to one. */
function firstQuoted(chunks: SpokenChunk[], question: string, { terms, statistics, ranked }: Ranking): number | null {
  const best = spreadOut(ranked.slice(0, spreadMax), areOfOnePlace).slice(0, passagesMax)
  const { quotes, closest } = answerQuestion({ question, terms, statistics, passages: best.map(toPassage) })
  const [first] = [...quotes, ...closest]
  if (first === undefined) return null
  const parts = chunks[best[first.passage]?.chunk.ordinal ?? 0]?.parts
  return parts?.findLast(({ textStart }) => textStart <= first.start)?.seq ?? null
}

/** As many as a search looks at. */
const spreadMax = 30

function areOfOnePlace({ chunk: a }: Ranked, { chunk: b }: Ranked): boolean {
  return a.unit === b.unit && Math.abs((a.ordinal ?? 0) - (b.ordinal ?? 0)) === 1
}

export function toChunks(entries: Meeting['entries'], unit: number): SpokenChunk[] {
  return cutTranscript(entries).map(({ text, parts }, ordinal) => ({
    unit,
    ordinal,
    parts,
    group: unit,
    text,
    title: '',
    headings: [],
    language: 'en',
    spans: parts.map(({ start, end, textStart }) => ({ start: textStart, end: textStart + end - start })),
    first: parts[0]?.seq ?? 0,
    last: parts.at(-1)?.seq ?? 0,
  }))
}
