import { answerInWorker } from '../workers/answer-in-worker.ts'
import { renderers } from './rendering.ts'

answerInWorker(({ kind, text }: { kind: keyof typeof renderers; text: string }) => renderers[kind](text))
