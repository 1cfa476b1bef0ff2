import { stopWordTest } from '../../src/summarizer/language/stop-words.ts'
import { stem } from '../../src/summarizer/language/words.ts'
import { readRecord } from '../../src/summarizer/sentences/meeting-record.ts'
import type { Meeting } from './data.ts'

type Vector = Map<string, number>
type Sentence = { text: string; id: number; words: number; vector: Vector; rank: number }

const candidatesMax = 500
const wordsMin = 5
/** Two sentences with a lower cosine are about different matters (Erkan and Radev 2004 use 0.1; speech is shorter). */
const similarityMin = 0.05
const dampening = 0.85
const rounds = 25
/** Of a sentence's rank and what it repeats (Carbonell and Goldstein 1998). */
const relevanceWeight = 0.7

/** LexRank with maximal marginal relevance: as many words as the summary has, without a frame around them. */
export function lexRank(meeting: Meeting, words: number): string {
  const ranked = rankSentences(meeting)
  const most = Math.max(...ranked.map(({ rank }) => rank), Number.EPSILON)
  const chosen: Sentence[] = []
  for (let left = words; ; ) {
    const value = (it: Sentence) =>
      relevanceWeight * (it.rank / most) -
      (1 - relevanceWeight) * chosen.reduce((max, other) => Math.max(max, cosine(it.vector, other.vector)), 0)
    const fitting = ranked.filter((it) => it.words <= left && !chosen.includes(it))
    const best = fitting.reduce<Sentence | null>((a, b) => (a === null || value(b) > value(a) ? b : a), null)
    if (best === null) break
    chosen.push(best)
    left -= best.words
  }
  return chosen
    .sort((a, b) => a.id - b.id)
    .map(({ text }) => text)
    .join('. ')
}

function rankSentences({ transcript }: Meeting): Sentence[] {
  const { sentences } = readRecord({ title: '', transcript, mode: 'short', personality: 'neutral', language: 'en' })
  const isStop = stopWordTest('en')
  const terms = sentences.map(({ words }) => words.filter((word) => !isStop(word)).map(stem))
  const frequency = new Map<string, number>()
  for (const own of terms) for (const term of new Set(own)) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const rarity = (term: string) => Math.log(sentences.length / (frequency.get(term) ?? 1))
  const candidates = sentences
    .map(({ text, id, words }, i) => ({
      text,
      id,
      words: words.length,
      vector: toVector(terms[i] ?? [], rarity),
      rank: 0,
    }))
    .filter(({ words, vector }) => words >= wordsMin && vector.size > 0)
    .sort((a, b) => b.vector.size - a.vector.size || a.id - b.id)
    .slice(0, candidatesMax)
  const ranks = centrality(candidates.map(({ vector }) => vector))
  return candidates.map((it, i) => ({ ...it, rank: ranks[i] ?? 0 }))
}

function toVector(terms: readonly string[], rarity: (term: string) => number): Vector {
  const vector: Vector = new Map()
  for (const term of terms) vector.set(term, (vector.get(term) ?? 0) + rarity(term))
  const length = Math.hypot(...vector.values()) || 1
  return new Map([...vector].map(([term, weight]) => [term, weight / length]))
}

function cosine(a: Vector, b: Vector): number {
  let sum = 0
  for (const [term, weight] of a) sum += weight * (b.get(term) ?? 0)
  return sum
}

/** The stationary distribution of a random walk between similar sentences. */
function centrality(vectors: readonly Vector[]): number[] {
  const size = vectors.length
  const steps = vectors.map((vector, from) => {
    const row = vectors.map((other, to) => (to === from ? 0 : cosine(vector, other)))
    const kept = row.map((it) => (it < similarityMin ? 0 : it))
    const total = kept.reduce((sum, it) => sum + it, 0) || 1
    return kept.map((it) => it / total)
  })
  let ranks = new Array<number>(size).fill(1 / Math.max(1, size))
  for (let round = 0; round < rounds; round += 1) {
    const next = new Array<number>(size).fill((1 - dampening) / Math.max(1, size))
    for (const [from, row] of steps.entries()) {
      const rank = dampening * (ranks[from] ?? 0)
      for (let to = 0; to < size; to += 1) next[to] = (next[to] ?? 0) + rank * (row[to] ?? 0)
    }
    ranks = next
  }
  return ranks
}
