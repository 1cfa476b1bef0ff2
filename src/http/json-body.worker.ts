import { answerInWorker } from '../workers/answer-in-worker.ts'
import { readJson } from './body.ts'
import type { JsonTask } from './json-body.ts'

answerInWorker(({ membersMax }: JsonTask, bytes) => readJson(bytes, membersMax))
