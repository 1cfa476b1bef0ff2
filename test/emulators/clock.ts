import type { EmulatorClock } from './emulator.ts'

export function emulatorClock(): EmulatorClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance: (seconds) => {
      aheadMs += seconds * 1000
    },
  }
}
