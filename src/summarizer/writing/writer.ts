// Summary material in, summaries and prompts out; all slow work is done in workers.

import { Refusal } from '../../kernel/refusal.ts'
import { workerPool } from '../../workers/worker-pool.ts'
import type { Draft } from '../model/draft.ts'
import type { Prompt } from '../model/prompt.ts'
import type { SummaryMaterial, WriterAnswer, WritingTask } from './task.ts'

/** Each method refuses with UNAVAILABLE when too many wait, when it takes too long, and once the writer is closed. */
export type Writer = {
  local(material: SummaryMaterial): Promise<WriterAnswer>
  prompt(material: SummaryMaterial, inputTokensMax: number): Promise<Prompt>
  fromModel(material: SummaryMaterial, draft: Draft): Promise<WriterAnswer>
  close(): Promise<void>
}

export type WriterOptions = { workersMax: number; queueMax: number; timeoutMs: number }

// A summary of 100,000 words needs less than half of it.
const heapMaxMb = 384

export function summaryWriter(options: WriterOptions): Writer {
  const pool = workerPool<WritingTask, unknown>({
    entry: new URL('./writing.worker.ts', import.meta.url),
    ...options,
    heapMaxMb,
    overLimit: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }),
  })
  const ask = <T>(task: WritingTask) => pool.run(task) as Promise<T>
  return {
    local: (material) => ask<WriterAnswer>({ kind: 'local', material }),
    prompt: (material, inputTokensMax) => ask<Prompt>({ kind: 'prompt', material, inputTokensMax }),
    fromModel: (material, draft) => ask<WriterAnswer>({ kind: 'model', material, draft }),
    close: () => pool.close(),
  }
}
