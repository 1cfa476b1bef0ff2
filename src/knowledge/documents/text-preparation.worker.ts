import { decodeBlocks } from '../../extraction/block-batches.ts'
import { cutDocument } from '../../retrieval/chunks/cut-document.ts'
import { detectLanguage } from '../../retrieval/language/detect-language.ts'
import { answerInWorker } from '../../workers/answer-in-worker.ts'
import type { BlocksToCut, PreparedText } from './text-preparation.ts'

/** Enough to tell a language, of any part of the document. */
const sampleChunks = 40

answerInWorker(async ({ batches }: BlocksToCut): Promise<PreparedText> => {
  const chunks = cutDocument(await decodeBlocks(batches))
  const every = Math.max(1, Math.floor(chunks.length / sampleChunks))
  const sample = chunks.filter((_, index) => index % every === 0).map(({ text }) => text)
  const last = chunks.at(-1)
  return {
    chunks,
    language: detectLanguage(sample.join('\n')),
    characters: last === undefined ? 0 : last.start + [...last.text].length,
    textBytes: chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
  }
})
