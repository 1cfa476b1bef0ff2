import { parentPort } from 'node:worker_threads'
import { summarize } from './summarize.ts'
import type { SummaryRequest } from './summary.ts'

// One request at a time: the pool sends the next when this one is answered. A throw ends the thread, and the pool sees that.
parentPort?.on('message', (request: SummaryRequest) => parentPort?.postMessage(summarize(request)))
