// Summary material in, summaries and prompts out; all slow work is done in threads.

import type { Draft } from '../model/draft.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Summary, SummaryRequest } from '../summary.ts'
import { summaryPool } from '../summary-pool.ts'
import type { SummaryMaterial, WriterAnswer, WritingTask } from './task.ts'

/** Each method refuses with UNAVAILABLE when too many wait, when it takes too long, and once the writer is closed. */
export type Writer = {
  local(material: SummaryMaterial): Promise<WriterAnswer>
  prompt(material: SummaryMaterial, inputTokensMax: number): Promise<Prompt>
  fromModel(material: SummaryMaterial, draft: Draft): Promise<WriterAnswer>
  close(): Promise<void>
}

export type WriterOptions = { workersMax: number; queueMax: number; timeoutMs: number }

export function summaryWriter(options: WriterOptions): Writer {
  const pool = summaryPool({ ...options, script: new URL('./writing-worker.ts', import.meta.url) })
  // The pool passes any message to its script and back. Its types are those of its own script.
  const ask = <T>(task: WritingTask) =>
    pool.summarize(task as unknown as SummaryRequest) as Promise<Summary | T> as Promise<T>
  return {
    local: (material) => ask<WriterAnswer>({ kind: 'local', material }),
    prompt: (material, inputTokensMax) => ask<Prompt>({ kind: 'prompt', material, inputTokensMax }),
    fromModel: (material, draft) => ask<WriterAnswer>({ kind: 'model', material, draft }),
    close: () => pool.close(),
  }
}
