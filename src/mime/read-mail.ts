import { workerPool } from '../workers/worker-pool.ts'
import { type MailComplexity, MailTooComplex } from './mail-limits.ts'
import { type ParsedMail, parseMail } from './parse-mail.ts'

/** Mails up to this size, and this number of lines, are read at once, in some milliseconds: reading takes its time for each line. */
const shortBytesMax = 64 * 1024
const shortLinesMax = 1000

export type ReadInWorker = { mail: ParsedMail } | { tooComplex: MailComplexity }

const reader = workerPool<object, ReadInWorker>({
  entry: new URL('./read-mail.worker.ts', import.meta.url),
  timeoutMs: 20_000,
  queueMax: 100,
  heapMaxMb: 512,
  // It keeps what the last mail took.
  idleMsMax: 2_000,
  overLimit: () => new MailTooComplex('UNREADABLE'),
})

/** Reads a mail, a large one in a worker. Rejects with MailTooComplex, and with UNAVAILABLE where too many wait. */
export async function readMail(bytes: Buffer): Promise<ParsedMail> {
  if (isShort(bytes)) return parseMail(bytes)
  const read = await reader.run({}, { bytes })
  if ('tooComplex' in read) throw new MailTooComplex(read.tooComplex)
  return read.mail
}

function isShort(bytes: Buffer): boolean {
  if (bytes.length > shortBytesMax) return false
  let lines = 1
  for (let at = bytes.indexOf(10); at >= 0 && lines <= shortLinesMax; at = bytes.indexOf(10, at + 1)) lines++
  return lines <= shortLinesMax
}
