import { Refusal } from '../kernel/refusal.ts'
import { workerPool } from '../workers/worker-pool.ts'
import { type JsonObject, parseJsonObject } from './json.ts'

/** Bodies up to this size take a few milliseconds. Larger ones are mails. */
const shortBytesMax = 1024 * 1024

// One worker for the whole service, started with the first large mail. 25 MiB take it less than a second.
const parser = workerPool<null, JsonObject | null>({
  entry: new URL('./large-json.worker.ts', import.meta.url),
  timeoutMs: 10_000,
  queueMax: 20,
  // It keeps what the last body took.
  idleMsMax: 2_000,
  overLimit: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 30 }),
})

/**
 * Like `parseJsonObject`, but a large body is parsed in a worker, and its long texts are left out: before a mail is stored,
 * only its identifiers are read. Refuses with UNAVAILABLE where too many of them wait.
 */
export async function readJsonObject(body: Buffer): Promise<JsonObject | null> {
  return body.length <= shortBytesMax ? parseJsonObject(body) : parser.run(null, { bytes: body })
}
