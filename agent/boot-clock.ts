import { readFileSync } from 'node:fs'

/** Seconds since the machine booted, including sleep. Nobody can set this clock, and it continues when the agent restarts. */
export type BootClock = { bootId: string; seconds(): number }

export function systemBootClock(): BootClock {
  return {
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    seconds: () => Number.parseFloat(readFileSync('/proc/uptime', 'utf8')),
  }
}

/** Both clocks, read at the same moment. Stored beside ends that are in seconds of the boot clock. */
export type ClockReading = { bootId: string; bootSeconds: number; wallMs: number }

export const readClocks = (clock: BootClock, wallMs: number): ClockReading => ({
  bootId: clock.bootId,
  bootSeconds: clock.seconds(),
  wallMs,
})

/**
 * Converts a stored end to the current boot clock. After a reboot it is uncertain how long the machine was off, so the
 * longer of the two clocks' answers counts. If the wall clock went backwards, the end counts as reached.
 */
export function endAfterRestart(endsAt: number, stamp: ClockReading, now: ClockReading): number {
  if (stamp.bootId === now.bootId) return endsAt
  if (now.wallMs < stamp.wallMs) return Number.NEGATIVE_INFINITY
  const elapsedSeconds = Math.max(now.bootSeconds, (now.wallMs - stamp.wallMs) / 1000)
  return now.bootSeconds + (endsAt - stamp.bootSeconds) - elapsedSeconds
}
