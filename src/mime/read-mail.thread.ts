import { answerInWorker } from '../kernel/worker-pool.ts'
import { MailTooComplex } from './mail-limits.ts'
import { parseMail } from './parse-mail.ts'
import type { ReadInThread } from './read-mail.ts'

answerInWorker(async (_: object, bytes): Promise<ReadInThread> => {
  try {
    return { mail: await parseMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) }
  } catch (error) {
    if (error instanceof MailTooComplex) return { tooComplex: error.cause }
    throw error
  }
})
