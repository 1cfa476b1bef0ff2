import { answerInWorker } from '../../kernel/worker-pool.ts'
import { Unprocessable } from '../processing.ts'
import { type DeliveryContent, readContent } from './delivery-readers.ts'
import { asBuffer, type ReadInThread } from './read-delivery.ts'

answerInWorker(async ({ body, ...sent }: DeliveryContent): Promise<ReadInThread> => {
  try {
    return { content: await readContent({ ...sent, body: asBuffer(body) }) }
  } catch (error) {
    if (error instanceof Unprocessable) return { unprocessable: error.message }
    throw error
  }
})
