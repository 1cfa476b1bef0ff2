import { Refusal } from '../kernel/refusal.ts'
import { workerPool } from '../workers/worker-pool.ts'
import { decodeBlocks } from './block-batches.ts'
import type { DocumentType } from './document-type.ts'
import { type Extraction, ExtractionError, type ExtractionFailure } from './extraction.ts'

export type DocumentFile = {
  bytes: Uint8Array
  type: DocumentType
  /** Aborted, it ends the reading: `read` rejects with its reason. */
  signal?: AbortSignal
  /** Pages or slides, as they are read. It must be quick. What it throws ends the reading and is what `read` rejects with. */
  onPage?(read: number, of: number | null): void
}

/**
 * The detail is a sentence for the person who uploaded the file, the cause a line for the log. `isOverLimit`: the reading was ended at
 * its limit of time or memory. Another try may end well: the machine was busy, or the worker had kept much of the documents before.
 */
export type Failure = { code: ExtractionFailure; detail: string; cause?: unknown; isOverLimit?: true }

export type ReadingLimits = {
  queueMax: number
  /** For one try. */
  timeoutMs: number
  heapMaxMb: number
  arraysMaxMb: number
}

export type DocumentReader = {
  /**
   * Reads one file at a time and lets others wait, first in, first out: whose turn it is decides the caller. Rejects with
   * UNAVAILABLE when too many wait and when the reader is closed. Everything that is wrong with a file is a failure.
   */
  read(file: DocumentFile): Promise<{ extraction: Extraction } | { failure: Failure }>
  close(): Promise<void>
}

/** What the worker answers. */
export type ReadInWorker =
  | { batches: Uint8Array[]; pages: number | null; characters: number }
  | { failure: Failure; isCrash?: true }

/** What the worker says while it reads. */
export type PageReport = { page: number; of: number | null }

/** One worker, started with the first document and ended when it has been idle. */
export function documentReader({
  queueMax = 8,
  timeoutMs = 60_000,
  heapMaxMb = 512,
  // Of what is unpacked. The bytes of the file itself, 25 MiB, are among them.
  arraysMaxMb = 384,
}: Partial<ReadingLimits> = {}): DocumentReader {
  const pool = workerPool<{ type: DocumentType }, ReadInWorker>({
    entry: new URL('./reader.worker.ts', import.meta.url),
    queueMax,
    timeoutMs,
    heapMaxMb,
    arraysMaxMb,
    isBackground: true,
    overLimit: () => new ExtractionError('TOO_MUCH', 'The document takes too much time or memory to be read.'),
  })

  const readOnce = async ({ bytes, type, signal, onPage }: DocumentFile): Promise<ReadInWorker> => {
    let isCallersError = false
    const onProgress = (report: unknown) => {
      const { page, of } = report as PageReport
      try {
        onPage?.(page, of)
      } catch (error) {
        isCallersError = true
        throw error
      }
    }
    try {
      return await pool.run({ type }, { bytes, signal, onProgress })
    } catch (error) {
      if (error instanceof ExtractionError)
        return { failure: { code: error.code, detail: error.detail, isOverLimit: true } }
      if (error instanceof Refusal || signal?.aborted || isCallersError) throw error
      return { failure: { code: 'BROKEN', detail: 'The document cannot be read.', cause: error }, isCrash: true }
    }
  }

  return {
    close: () => pool.close(),
    async read(file) {
      const first = await readOnce(file)
      // The document before may have left something behind that ended the worker. The next try has a worker of its own.
      const read = 'isCrash' in first ? await readOnce(file) : first
      if ('failure' in read) return { failure: read.failure }
      const { batches, pages, characters } = read
      return { extraction: { blocks: await decodeBlocks(batches), pages, characters } }
    },
  }
}
