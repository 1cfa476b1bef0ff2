import { Refusal } from '../../kernel/refusal.ts'
import { workerPool } from '../../workers/worker-pool.ts'

export type DueDayTask = { texts: string[]; meetingDay: string }

export type DueDays = {
  /** The day that each text means, or null. Refuses UNAVAILABLE. */
  read(task: DueDayTask): Promise<(string | null)[]>
  close(): Promise<void>
}

/** In a worker: loading chrono takes longer than the event loop may be held. */
export function dueDays(): DueDays {
  const pool = workerPool<DueDayTask, (string | null)[]>({
    entry: new URL('./due-days.worker.ts', import.meta.url),
    queueMax: 64,
    timeoutMs: 30_000,
    heapMaxMb: 128,
    isBackground: true,
    overLimit: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }),
  })
  return { read: (task) => pool.run(task), close: () => pool.close() }
}
