import type { Clock } from '../../src/kernel/clock.ts'

export type TestClock = Clock & {
  advance(by: { seconds?: number; ms?: number }): void
  /** Back to the present, for the next test file. */
  restart(): void
}

/** A clock that stands still until a test moves it. It starts at the present, for rows that other tests look at. */
export function testClock(start: Date = new Date()): TestClock {
  let atMs = start.getTime()
  return {
    now: () => new Date(atMs),
    advance: ({ seconds = 0, ms = 0 }) => {
      atMs += seconds * 1000 + ms
    },
    restart: () => {
      atMs = Date.now()
    },
  }
}

/** A job is due by the clock of the database, too: a test of what happens later must not begin in its past. */
export function catchUp(clock: TestClock): void {
  clock.advance({ ms: Math.max(0, Date.now() - clock.now().getTime()) })
}
