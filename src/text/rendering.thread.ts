import { computeInThread } from '../kernel/thread.ts'
import { rendering } from './rendering.ts'

computeInThread(({ kind, text }: { kind: keyof typeof rendering; text: string }) => rendering[kind](text))
