import { answerInWorker } from '../kernel/worker-pool.ts'
import { parseJsonObject } from './json.ts'

answerInWorker((body: Uint8Array) => parseJsonObject(body))
