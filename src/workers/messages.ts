import type { RefusalCode, RefusalOptions } from '../kernel/refusal.ts'

/** What a worker answers to a task. */
export type Reply =
  | { kind: 'result'; result: unknown }
  | { kind: 'refusal'; code: RefusalCode; options: RefusalOptions }
  | { kind: 'error'; error: unknown }

/** What a worker sends. `cpuSeconds` is the processor time of its whole life. */
export type FromWorker = { kind: 'progress'; report: unknown } | (Reply & { cpuSeconds: number })
