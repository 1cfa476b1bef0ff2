import type { JobHandler } from './jobs.ts'
import type { IntervalTask } from './schedule.ts'

type Background = { handlers: JobHandler[]; intervalTasks: IntervalTask[] }
type Loop = { run<T>(work: { method: string; path: string }, start: () => T): T }

/** The same work, with its name on record for as long as it runs: whatever holds the event loop can be told. */
export function namedWork(loop: Loop, { handlers, intervalTasks }: Background): Background {
  return {
    handlers: handlers.map((handler) => ({
      ...handler,
      handle: (run) => loop.run({ method: 'JOB', path: handler.kind.name }, () => handler.handle(run)),
    })),
    intervalTasks: intervalTasks.map((task) => ({
      ...task,
      run: () => loop.run({ method: 'JOB', path: task.name }, task.run),
    })),
  }
}
