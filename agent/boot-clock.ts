import { readFileSync } from 'node:fs'

/** Seconds since the machine started, also those it slept. No one sets this clock, and it goes on when the agent restarts. */
export type BootClock = { bootId: string; seconds(): number }

export function systemBootClock(): BootClock {
  return {
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    seconds: () => Number.parseFloat(readFileSync('/proc/uptime', 'utf8')),
  }
}

/** Read off both clocks at one moment, to be stored beside ends that are told in seconds of the boot clock. */
export type Stamp = { bootId: string; bootSeconds: number; wallMs: number }

export const stampOf = (clock: BootClock, wallMs: number): Stamp => ({
  bootId: clock.bootId,
  bootSeconds: clock.seconds(),
  wallMs,
})

/**
 * A stored end in seconds of the boot clock that runs now. After a reboot nobody knows for sure how long the machine
 * was off, so the longer of what the clocks say counts; a wall clock that went back says nothing, and the end is reached.
 */
export function endAfterRestart(endsAt: number, stamp: Stamp, now: Stamp): number {
  if (stamp.bootId === now.bootId) return endsAt
  if (now.wallMs < stamp.wallMs) return Number.NEGATIVE_INFINITY
  const elapsedSeconds = Math.max(now.bootSeconds, (now.wallMs - stamp.wallMs) / 1000)
  return now.bootSeconds + (endsAt - stamp.bootSeconds) - elapsedSeconds
}
