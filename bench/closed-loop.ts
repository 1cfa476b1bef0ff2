import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from './statistics.ts'

/** How long callers call: for a time, or until each of `calls` was made once. */
export type Span =
  | { kind: 'window'; warmUpMs: number; measuredMs: number; pauseMs?: number }
  | { kind: 'once'; calls: number }

export type Tally = { calls: number; perSecond: number; p50Ms: number; p99Ms: number; maxMs: number }

/** Told at the first and the last moment that counts, for whoever reads the processor time of others. */
export type Notice = (moment: 'begun' | 'ended') => void

/** Makes call number `call` (from 0, each caller in strides of its own) and returns when it is answered. */
export type Call = (caller: number, call: number) => Promise<void>

/**
 * `callers` at once, each calling again as soon as it was answered. A call counts when its answer comes in the window.
 * The first call that throws ends it. `latenciesMs` is in the order of the answers.
 */
export async function closedLoop(
  { callers, span, notice }: { callers: number; span: Span; notice: Notice },
  call: Call,
): Promise<Tally & { latenciesMs: number[] }> {
  const latenciesMs: number[] = []
  const seconds =
    span.kind === 'once'
      ? await callOnce({ callers, calls: span.calls, notice, latenciesMs }, call)
      : await callFor({ callers, span, notice, latenciesMs }, call)
  return {
    calls: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    maxMs: percentile(latenciesMs, 1),
    latenciesMs,
  }
}

type Windowed = { callers: number; span: Span & { kind: 'window' }; notice: Notice; latenciesMs: number[] }

async function callFor({ callers, span, notice, latenciesMs }: Windowed, call: Call): Promise<number> {
  let isMeasured = false
  let isOver = false
  const loop = async (_: unknown, caller: number) => {
    for (let made = 0; !isOver; made++) {
      const startedAt = performance.now()
      await call(caller, made)
      if (isMeasured) latenciesMs.push(performance.now() - startedAt)
      if (span.pauseMs !== undefined) await delay(span.pauseMs)
    }
  }
  const loops = Promise.all(Array.from({ length: callers }, loop)).finally(() => {
    isOver = true
  })
  const timing = (async () => {
    await delay(span.warmUpMs)
    isMeasured = true
    notice('begun')
    const begunAt = performance.now()
    await delay(span.measuredMs)
    // A window that saw fewer answers than there are callers says nothing: it goes on until it has seen as many.
    while (!isOver && latenciesMs.length < callers) await delay(span.measuredMs / 10)
    isMeasured = false
    isOver = true
    notice('ended')
    return (performance.now() - begunAt) / 1000
  })()
  const [seconds] = await Promise.all([timing, loops])
  return seconds
}

type Counted = { callers: number; calls: number; notice: Notice; latenciesMs: number[] }

async function callOnce({ callers, calls, notice, latenciesMs }: Counted, call: Call): Promise<number> {
  let next = 0
  const loop = async (_: unknown, caller: number) => {
    while (next < calls) {
      const mine = next++
      const startedAt = performance.now()
      await call(caller, mine)
      latenciesMs.push(performance.now() - startedAt)
    }
  }
  notice('begun')
  const begunAt = performance.now()
  await Promise.all(Array.from({ length: callers }, loop))
  notice('ended')
  return (performance.now() - begunAt) / 1000
}
