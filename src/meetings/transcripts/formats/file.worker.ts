import { answerInWorker } from '../../../workers/answer-in-worker.ts'
import type { NewEntry } from '../../entries/entry.rules.ts'
import { type ImportFormat, parseEntries } from './parse-file.ts'
import { encodeEntries } from './read-file.ts'

const batchEntries = 500

/** Returns bytes in batches: a hundred thousand objects would block the event loop that receives them. */
answerInWorker((format: ImportFormat, bytes) => {
  const batches: Uint8Array[] = []
  let batch: NewEntry[] = []
  const file = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format }
  for (const entry of parseEntries(file)) {
    batch.push(entry)
    if (batch.length < batchEntries) continue
    batches.push(encodeEntries(batch))
    batch = []
  }
  return [...batches, encodeEntries(batch)]
})
