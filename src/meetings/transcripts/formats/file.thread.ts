import { answerInWorker } from '../../../kernel/worker-pool.ts'
import type { NewEntry } from '../../entries/entry.rules.ts'
import { type ImportFormat, parseEntries } from './parse-file.ts'
import { encodeEntries } from './read-file.ts'

const portionEntries = 500

/** Returns bytes in batches: a hundred thousand objects would block the event loop that receives them. */
answerInWorker(({ bytes, format }: { bytes: Uint8Array; format: ImportFormat }) => {
  const portions: Uint8Array[] = []
  let portion: NewEntry[] = []
  const file = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format }
  for (const entry of parseEntries(file)) {
    portion.push(entry)
    if (portion.length < portionEntries) continue
    portions.push(encodeEntries(portion))
    portion = []
  }
  return [...portions, encodeEntries(portion)]
})
