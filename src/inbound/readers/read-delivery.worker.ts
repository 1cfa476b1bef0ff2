import { answerInWorker } from '../../workers/answer-in-worker.ts'
import { Unprocessable } from '../processing.ts'
import { type DeliveryContent, readContent } from './delivery-readers.ts'
import { asBuffer, type ReadInWorker } from './read-delivery.ts'

answerInWorker(async (sent: Omit<DeliveryContent, 'body'>, sentBytes): Promise<ReadInWorker> => {
  const body = asBuffer(sentBytes)
  try {
    const content = await readContent({ ...sent, body })
    const isRawBody = content.kind === 'email.received' && content.raw?.bytes === body
    if (isRawBody && content.raw !== null) content.raw.bytes = Buffer.alloc(0)
    return { content, isRawBody }
  } catch (error) {
    if (error instanceof Unprocessable) return { unprocessable: error.message }
    throw error
  }
})
