import { answerInWorker } from '../workers/answer-in-worker.ts'
import { MailTooComplex } from './mail-limits.ts'
import { parseMail } from './parse-mail.ts'
import type { ReadInWorker } from './read-mail.ts'

answerInWorker(async (_: object, bytes): Promise<ReadInWorker> => {
  try {
    return { mail: await parseMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) }
  } catch (error) {
    if (error instanceof MailTooComplex) return { tooComplex: error.cause }
    throw error
  }
})
