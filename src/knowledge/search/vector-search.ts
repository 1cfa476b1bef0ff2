import type { EmbeddingClient } from '../../ai/embedding-client.ts'
import { withTimeout } from '../../kernel/with-timeout.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { cosine, toCloseness, toStoredVector } from '../vectors/vector.rules.ts'
import type { RankedChunk } from './candidates.ts'
import { findPgvector, listNearChunks, listVectors } from './near-chunk.store.ts'
import type { Asking, Visibility } from './visible.store.ts'

export type VectorSearchDeps = {
  visible: Visibility
  embeddings: EmbeddingClient
  /** How long a search waits for vectors, in all. */
  timeoutMs?: number
  /** Called once for each search. */
  recordVectors(outcome: 'used' | 'failed'): void
}

type Chunk = { itemId: string; ordinal: number }

/** `chunks`: in the order of words and meaning together. `closeness`: 0 to 1, how near a chunk's meaning is to the query. */
export type Closest = { chunks: RankedChunk[]; closeness(chunk: Chunk): number }

/** Up to so many chunks all are compared. */
const scannedMax = 20_000
const scannedByPgvectorMax = 100_000
/** So many of the best by words, and of the nearest by signs, are compared exactly. */
const comparedByWords = 100
const comparedBySigns = 150
/** Read in some milliseconds by the embedded database. */
const readAtOnce = 50
/** What meaning counts beside words, which count 1. */
const meaningWorth = 0.5

const timeoutDefaultMs = 1000

export type VectorSearch = ReturnType<typeof vectorSearch>

/** Orders chunks by their meaning, too, and finds those that share no word with the query. */
export function vectorSearch({ visible, embeddings, timeoutMs = timeoutDefaultMs, recordVectors }: VectorSearchDeps) {
  const { model } = embeddings
  /** Looked for with each search until it is there, and again after a failure: operators install and drop extensions. */
  let hasPgvector = false

  /** Starts to embed a query, while its words are looked for. Null where that fails. */
  function embedQuery(scope: TenantScope, text: string): Promise<number[] | null> {
    return embeddings.embed(scope.tenantId, [text], { timeoutMs }).then(
      ([vector]) => vector ?? null,
      () => null,
    )
  }

  /** Null where there are no vectors to compare, and where anything fails: then words alone decide. */
  async function findClosest(
    { scope, asking }: { scope: TenantScope; asking: Asking },
    query: { vector: Promise<number[] | null>; chunks: readonly RankedChunk[]; chunkTotal: number; mayAdd: boolean },
  ): Promise<Closest | null> {
    try {
      const closest = await withTimeout(timeoutMs, compare({ scope, asking }, query))
      recordVectors(closest === 'failed' ? 'failed' : 'used')
      return closest === 'failed' ? null : closest
    } catch {
      hasPgvector = false
      recordVectors('failed')
      return null
    }
  }

  async function compare(
    { scope, asking }: { scope: TenantScope; asking: Asking },
    { vector: embedding, chunks, chunkTotal, mayAdd }: Parameters<typeof findClosest>[1],
  ): Promise<Closest | 'failed' | null> {
    const vector = await embedding
    if (vector === null) return 'failed'
    const { signs } = toStoredVector(vector)
    if (mayAdd) hasPgvector ||= await findPgvector(scope)
    const isScanned = mayAdd && chunkTotal <= (hasPgvector ? scannedByPgvectorMax : scannedMax)
    const near = isScanned
      ? await listNearChunks(visible, { scope, asking }, { model, signs, limit: comparedBySigns, hasPgvector })
      : []
    const known = new Set(chunks.map(chunkKey))
    const added = near.filter((chunk) => !known.has(chunkKey(chunk))).map((chunk) => ({ ...chunk, score: 0 }))
    const compared = [...chunks.slice(0, comparedByWords), ...added]
    const cosines = await compareAll(scope, vector, compared)
    if (cosines.size === 0) return null
    const closenessOf = toCloseness(cosines)
    const closeness = (chunk: Chunk) => closenessOf.get(chunkKey(chunk)) ?? 0
    return { chunks: joinOrders([...compared, ...chunks.slice(comparedByWords)], closeness), closeness }
  }

  async function compareAll(scope: TenantScope, vector: number[], chunks: readonly RankedChunk[]) {
    const keys = new Map(chunks.map((chunk) => [`${chunk.indexedId} ${chunk.ordinal}`, chunkKey(chunk)]))
    const cosines = new Map<string, number>()
    for (let from = 0; from < chunks.length; from += readAtOnce) {
      for (const found of await listVectors(scope, model, chunks.slice(from, from + readAtOnce))) {
        const value = cosine(vector, found.vector)
        const key = keys.get(`${found.indexedId} ${found.ordinal}`)
        if (value !== null && key !== undefined) cosines.set(key, value)
      }
    }
    return cosines
  }

  return { embedQuery, findClosest }
}

/** Adds what meaning is worth to scores by words, which become 0 to 1. In the order of `scores`. */
export function withMeaning(scores: readonly number[], closeness: readonly number[]): number[] {
  const best = Math.max(...scores, Number.MIN_VALUE)
  return scores.map((score, index) => score / best + meaningWorth * (closeness[index] ?? 0))
}

function joinOrders(chunks: readonly RankedChunk[], closeness: Closest['closeness']): RankedChunk[] {
  const joined = withMeaning(
    chunks.map(({ score }) => score),
    chunks.map(closeness),
  )
  return chunks
    .map((chunk, index) => ({ chunk, score: joined[index] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .map(({ chunk }) => chunk)
}

const chunkKey = ({ itemId, ordinal }: Chunk) => `${itemId} ${ordinal}`
