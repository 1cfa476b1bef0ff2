import { AsyncLocalStorage } from 'node:async_hooks'
import type { Metrics } from '../kernel/metrics.ts'

/** What the event loop works for: a route by its method and declared path, or `JOB` and its kind. */
export type Work = { method: string; path: string }

export type LoopWatch = {
  /** From now on the loop works for this; so does everything that follows asynchronously. */
  enter(work: Work): void
  /** The same for one function and what follows from it. */
  run<T>(work: Work, act: () => T): T
  /** After a wait: the loop works again for what the caller belongs to. */
  resume(): void
  /** Remembers what the caller belongs to. The result is called by events that belong to nothing. */
  capture(): () => void
  /** Compares the time with that of the last tick. */
  tick(): void
  /** Ticks regularly until `stop`. */
  start(): void
  stop(): void
}

type LoopWatchDeps = {
  metrics: Metrics
  log: { warn(fields: Record<string, unknown>, message: string): void }
  settings?: Partial<LoopWatchSettings>
  nowMs?: () => number
}

/** `warnMs`: a window whose 99th percentile is longer is logged. */
export type LoopWatchSettings = { tickMs: number; windowMs: number; warnMs: number }

const defaults: LoopWatchSettings = { tickMs: 20, windowMs: 10_000, warnMs: 200 }
/** Shorter ones are usual. */
const holdMsMin = 50
/** After a suspension of the whole machine the delay may be hours. */
const delaysMax = 1_000

/** The longest time for which the loop worked for one thing without a break. */
type Stretch = { work: Work | null; ms: number }

/**
 * Measures how long the event loop is held, and what for. A tick that comes late has been held up. Between two ticks every
 * `enter` and `resume` is the end of the stretch before it, so the longest stretch tells what has held the loop.
 */
export function loopWatch({ metrics, log, settings, nowMs = () => performance.now() }: LoopWatchDeps): LoopWatch {
  const { tickMs, windowMs, warnMs } = { ...defaults, ...settings }
  const context = new AsyncLocalStorage<Work>()
  const held = metrics.counter({
    name: 'event_loop_held_seconds_total',
    help: 'Time in which the event loop was held for 50 ms or longer, by what held it. Method JOB: a background job.',
    labels: ['method', 'route'],
  })
  let last = { p99Ms: 0, longestMs: 0 }
  metrics.sampled(
    {
      name: 'event_loop_delay_seconds',
      help: 'Event loop delay in the last 10 s.',
      kind: 'gauge',
      labels: ['quantile'],
    },
    () => [
      { labels: ['0.99'], value: last.p99Ms / 1000 },
      { labels: ['1'], value: last.longestMs / 1000 },
    ],
  )

  let work: Work | null = null
  let sinceMs = nowMs()
  let tickedMs = sinceMs
  let longest: Stretch = { work: null, ms: 0 }
  let window = newWindow(sinceMs)
  let timer: NodeJS.Timeout | null = null

  const change = (next: Work | null): void => {
    const atMs = nowMs()
    if (atMs - sinceMs > longest.ms) longest = { work, ms: atMs - sinceMs }
    work = next
    sinceMs = atMs
  }

  const endWindow = (): void => {
    const { delaysMs, hold } = window
    last = summarize(delaysMs)
    window = newWindow(sinceMs)
    if (last.p99Ms <= warnMs) return
    const { method, path } = hold.work ?? {}
    const fields = { p99Ms: last.p99Ms, longestMs: last.longestMs, method, route: path, heldMs: hold.ms }
    log.warn(rounded(fields), 'the event loop was held')
  }

  const tick = (): void => {
    change(null)
    const delayMs = sinceMs - tickedMs - tickMs
    tickedMs = sinceMs
    window.delaysMs.push(...delaysOf(delayMs, tickMs))
    if (delayMs >= holdMsMin && longest.ms > window.hold.ms) window.hold = longest
    if (delayMs >= holdMsMin && longest.ms >= holdMsMin)
      held(longest.work?.method ?? '', longest.work?.path ?? '').add(longest.ms / 1000)
    longest = { work: null, ms: 0 }
    if (sinceMs - window.startedMs >= windowMs) endWindow()
  }

  const enter = (next: Work): void => {
    if (context.getStore() !== next) context.enterWith(next)
    change(next)
  }

  return {
    enter,
    run: (next, act) => {
      change(next)
      return context.run(next, act)
    },
    resume: () => change(context.getStore() ?? null),
    capture: () => {
      const captured = context.getStore()
      return () => captured && enter(captured)
    },
    tick,
    start: () => {
      timer ??= setInterval(tick, tickMs).unref()
    },
    stop: () => {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

function newWindow(startedMs: number) {
  return { startedMs, delaysMs: [] as number[], hold: { work: null, ms: 0 } as Stretch }
}

/**
 * A tick that came late stands for those that would have come meanwhile, each with its own delay. Otherwise one hold of
 * three seconds would be one of hundreds of samples, although everybody who asked in these seconds had to wait.
 */
function delaysOf(delayMs: number, tickMs: number): number[] {
  const count = Math.min(delaysMax, Math.max(1, Math.ceil(delayMs / tickMs)))
  return Array.from({ length: count }, (_, index) => Math.max(0, delayMs - index * tickMs))
}

function summarize(delaysMs: number[]): { p99Ms: number; longestMs: number } {
  const ordered = delaysMs.toSorted((one, other) => one - other)
  return { p99Ms: ordered[Math.ceil(ordered.length * 0.99) - 1] ?? 0, longestMs: ordered.at(-1) ?? 0 }
}

function rounded(fields: Record<string, string | number | undefined>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'number' ? Math.round(value) : value]),
  )
}
