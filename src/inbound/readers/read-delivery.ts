import { Refusal } from '../../kernel/refusal.ts'
import { workerPool } from '../../workers/worker-pool.ts'
import { Unprocessable } from '../processing.ts'
import { type DeliveryContent, readContent } from './delivery-readers.ts'
import type { NormalizedDelivery } from './normalized-delivery.ts'

/** Bodies up to this size take a few milliseconds. Larger ones are mails. */
const shortBytesMax = 1024 * 1024

/** `isRawBody`: the mail is stored as it was delivered, so that its bytes need not come back. */
export type ReadInWorker = { content: NormalizedDelivery; isRawBody: boolean } | { unprocessable: string }

// One worker for the whole service, started with the first large mail. 25 MiB take it less than a second.
const reader = workerPool<Omit<DeliveryContent, 'body'>, ReadInWorker>({
  entry: new URL('./read-delivery.worker.ts', import.meta.url),
  timeoutMs: 20_000,
  queueMax: 100,
  // It keeps what the last body took.
  idleMsMax: 2_000,
  overLimit: () => new Refusal('UNAVAILABLE', { detail: 'Reading the mail takes too long.' }),
})

/**
 * Reads the content of a delivery, a large one in a worker. Rejects with Unprocessable where it cannot be read, and with a
 * Refusal (UNAVAILABLE) where too many wait or it takes too long.
 */
export async function readDelivery({
  scheme,
  eventType,
  body,
  contentType,
}: DeliveryContent): Promise<NormalizedDelivery> {
  const sent = { scheme, eventType, contentType }
  if (body.length <= shortBytesMax) return readContent({ ...sent, body })
  const read = await reader.run(sent, { bytes: body })
  if ('unprocessable' in read) throw new Unprocessable(read.unprocessable)
  const { content, isRawBody } = read
  if (content.kind === 'email.received' && content.raw !== null)
    content.raw.bytes = isRawBody ? body : asBuffer(content.raw.bytes)
  return content
}

/** Bytes lose their class on the way between processes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
