import type { EmbeddingClient } from '../../ai/embedding-client.ts'
import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { SearchableTranscripts } from '../../meetings/index.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { toStoredVector } from './vector.rules.ts'
import { type ChunkToEmbed, listChunksToEmbed, listEmbeddable, markEmbedded, saveVectors } from './vector.store.ts'

export type EmbeddingDeps = {
  embeddings: EmbeddingClient
  transcripts: Pick<SearchableTranscripts, 'findEntries'>
}

export const embeddingJob: JobKind<{ indexedId: string }> = {
  name: 'knowledge.vectors.embed',
  attemptsMax: 6,
  backoffSeconds: 30,
  timeoutSeconds: 600,
  order: 'key',
  // The endpoint is shared by all tenants.
  concurrency: { node: 2, tenant: 1 },
}

/** The texts of one request. */
const batchChunks = 16
const requestTimeoutMs = 30_000

/** Makes vectors of the chunks of an item that have none. What was made stays, even if the rest fails. */
export function embedItem({ embeddings, transcripts }: EmbeddingDeps) {
  const { model } = embeddings

  return async ({ scope, data: { indexedId }, signal }: JobRun<{ indexedId: string }>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('An indexed item belongs to a tenant.')
    for (let after = -1; ; ) {
      signal.throwIfAborted()
      const chunks = await listChunksToEmbed(scope, { indexedId, model, after, limit: batchChunks })
      const last = chunks.at(-1)
      if (last === undefined) break
      after = last.ordinal
      await embedChunks(scope, indexedId, chunks)
    }
    await markEmbedded(scope, { indexedId, model })
  }

  async function embedChunks(scope: TenantScope, indexedId: string, chunks: readonly ChunkToEmbed[]): Promise<void> {
    const texts: string[] = []
    for (const chunk of chunks) texts.push(await readText(scope, chunk))
    const written = chunks.flatMap(({ ordinal }, index) => (texts[index] === '' ? [] : { ordinal, text: texts[index] }))
    if (written.length === 0) return
    const vectors = await embeddings.embed(
      scope.tenantId,
      written.map(({ text }) => text ?? ''),
      { timeoutMs: requestTimeoutMs },
    )
    const stored = written.flatMap(({ ordinal }, index) => ({ ordinal, ...toStoredVector(vectors[index] ?? []) }))
    await saveVectors(scope, { indexedId, model }, stored)
  }

  /** Empty where nothing is left of the chunk. */
  async function readText(scope: TenantScope, chunk: ChunkToEmbed): Promise<string> {
    if (chunk.kind === 'document') return [chunk.title, ...chunk.headings, chunk.text].join('\n')
    const { itemId, seqs, starts, ends } = chunk
    const entries = new Map((await transcripts.findEntries(scope, itemId, seqs)).map((entry) => [entry.seq, entry]))
    const lines = seqs.flatMap((seq, index) => {
      const entry = entries.get(seq)
      const words = entry?.text.slice(starts[index], ends[index]) ?? ''
      return words === '' ? [] : `${entry?.speaker}: ${words}`
    })
    return lines.join('\n')
  }
}

type Sweep = { platform: PlatformScope; jobs: Jobs; model: string }

const batchItems = 1000
/** Of one run. The next one continues from there. */
const readMax = 20_000
const enqueuedMax = 200

/** Has vectors made that are missing: of what is older than the settings, and where a job used up its attempts. */
export function missingVectors({ platform, jobs, model }: Sweep): () => Promise<void> {
  let after: { tenantId: string; id: string } | null = null

  return async () => {
    let enqueued = 0
    for (let read = 0; read < readMax; read += batchItems) {
      const items = await listEmbeddable(platform, { model, after, limit: batchItems })
      for (const { tenantId, id, isEmbedded } of items) {
        after = { tenantId, id }
        if (isEmbedded) continue
        await jobs.enqueue(platform, embeddingJob, { data: { indexedId: id }, tenantId, key: id })
        enqueued += 1
        if (enqueued === enqueuedMax) return
      }
      if (items.length === batchItems) continue
      after = null
      return
    }
  }
}
