import { Refusal } from '../kernel/refusal.ts'
import { workerPool } from '../workers/worker-pool.ts'
import { bodyMembersMaxDefault, readJson } from './body.ts'

export type JsonTask = { membersMax: number }

/** Bodies up to this size take a few milliseconds, which is less than a worker costs. */
const shortBytesMax = 1024 * 1024

// One worker for the whole service, started with the first large body. 32 MiB take it about a second.
const parser = workerPool<JsonTask, unknown>({
  entry: new URL('./json-body.worker.ts', import.meta.url),
  timeoutMs: 10_000,
  queueMax: 100,
  // It keeps what the last body took.
  idleMsMax: 2_000,
  overLimit: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 }),
})

/** Like `readJson`, but a large body is parsed in a worker. Also refuses with UNAVAILABLE where too many of them wait. */
export async function readJsonBody(bytes: Uint8Array, membersMax = bodyMembersMaxDefault): Promise<unknown> {
  return bytes.length <= shortBytesMax ? readJson(bytes, membersMax) : parser.run({ membersMax }, { bytes })
}
