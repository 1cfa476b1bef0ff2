import { computeInThread } from '../kernel/thread.ts'
import { createMarkupRenderer } from './rendering.ts'

computeInThread(({ kind, text }: { kind: keyof typeof createMarkupRenderer; text: string }) =>
  createMarkupRenderer[kind](text),
)
