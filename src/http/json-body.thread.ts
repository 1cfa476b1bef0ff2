import { answerInWorker } from '../kernel/worker-pool.ts'
import { readJson } from './body.ts'
import type { JsonTask } from './json-body.ts'

answerInWorker(({ bytes, membersMax }: JsonTask) => readJson(bytes, membersMax))
