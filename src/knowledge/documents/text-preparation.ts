import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { encodeBlocks } from '../../extraction/block-batches.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { DocumentChunk } from '../../retrieval/chunks/chunk.ts'
import type { Language } from '../../retrieval/language/language.ts'
import type { TextBlock } from '../../retrieval/text-block.ts'
import { workerPool } from '../../workers/worker-pool.ts'

/** `characters`: code points of the chunks' texts, joined by nothing. */
export type PreparedText = { chunks: DocumentChunk[]; language: Language; characters: number; textBytes: number }
export type TextPreparation = (blocks: TextBlock[]) => Promise<PreparedText>

export type BlocksToCut = { batches: Uint8Array[] }

/** Encoded in some milliseconds. */
const blocksAtOnce = 5_000

/** Cuts texts in a worker of its own: five million characters take seconds. */
export function textPreparation(): { prepare: TextPreparation; close(): Promise<void> } {
  const pool = workerPool<BlocksToCut, PreparedText>({
    entry: new URL('./text-preparation.worker.ts', import.meta.url),
    queueMax: 20,
    timeoutMs: 60_000,
    // Fails the try: the next one may find a machine with less to do.
    overLimit: () => new Refusal('UNAVAILABLE'),
  })
  const prepare: TextPreparation = async (blocks) => {
    const batches: Uint8Array[] = []
    for (let from = 0; from < blocks.length; from += blocksAtOnce) {
      batches.push(...encodeBlocks(blocks.slice(from, from + blocksAtOnce)))
      await yieldToEventLoop()
    }
    return pool.run({ batches })
  }
  return { prepare, close: () => pool.close() }
}
