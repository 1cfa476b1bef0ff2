import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { invalidField, Refusal } from '../../../kernel/refusal.ts'
import { workerPool } from '../../../workers/worker-pool.ts'
import type { NewEntry } from '../../entries/entry.rules.ts'
import { type ImportFormat, parseEntries, type TranscriptFile } from './parse-file.ts'

/** Files up to this size take about 10 ms. A meeting of an hour is 100 KB of WebVTT. */
const shortBytesMax = 128 * 1024

// One worker for the whole service, started with the first large file. A file of 20 MB takes it a second or two.
const fileWorker = workerPool<ImportFormat, Uint8Array[]>({
  entry: new URL('./file.worker.ts', import.meta.url),
  timeoutMs: 30_000,
  queueMax: 20,
  overLimit: () => new Refusal('VALIDATION_ERROR', { detail: 'Reading the file takes too long.' }),
})

/**
 * The entries of a file. Large files are read in a worker. Refuses with VALIDATION_ERROR and MALFORMED_JSON a file that
 * is invalid or empty, and with UNAVAILABLE where too many large files wait.
 */
export async function readFile(file: TranscriptFile): Promise<NewEntry[]> {
  const entries = file.bytes.length <= shortBytesMax ? [...parseEntries(file)] : await readInWorker(file)
  if (entries.length === 0) throw invalidField('/body', { code: 'minItems', message: 'contains no entries' })
  return entries
}

async function readInWorker({ bytes, format }: TranscriptFile): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  for (const batch of await fileWorker.run(format, { bytes })) {
    for (const entry of decodeEntries(batch)) entries.push(entry)
    await yieldToEventLoop()
  }
  return entries
}

type Row = [speaker: string, text: string, offsetSeconds: number, segmentId: string | null]

/** The form in which entries come back from the worker. */
export function encodeEntries(entries: readonly NewEntry[]): Uint8Array {
  const rows = entries.map(
    ({ speaker, text, offsetSeconds, segmentId }): Row => [speaker, text, offsetSeconds, segmentId],
  )
  return Buffer.from(JSON.stringify(rows))
}

function decodeEntries(batch: Uint8Array): NewEntry[] {
  const text = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength).toString()
  return (JSON.parse(text) as Row[]).map(([speaker, words, offsetSeconds, segmentId]) => {
    return { speaker, text: words, offsetSeconds, segmentId }
  })
}
