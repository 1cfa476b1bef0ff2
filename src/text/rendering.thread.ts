import { answerInWorker } from '../kernel/worker-pool.ts'
import { renderers } from './rendering.ts'

answerInWorker(({ kind, text }: { kind: keyof typeof renderers; text: string }) => renderers[kind](text))
