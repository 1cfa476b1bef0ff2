import { answerInWorker } from '../kernel/worker-pool.ts'
import { createMarkupRenderer } from './rendering.ts'

answerInWorker(({ kind, text }: { kind: keyof typeof createMarkupRenderer; text: string }) =>
  createMarkupRenderer[kind](text),
)
