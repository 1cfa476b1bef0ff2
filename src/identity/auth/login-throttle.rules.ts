/** NIST SP 800-63B section 3.2.2 requires a limit on consecutive failures. People mistype up to about four times. */
export const freeFailures = 4
/** A delay instead of a lock: an attacker cannot lock the owner out for longer than this. */
const delaySecondsMax = 900

/** The delay after this many consecutive failures: 2 s after the fifth, doubling up to 15 minutes. */
export function delaySecondsAfter(failures: number): number {
  return failures <= freeFailures ? 0 : Math.min(2 ** (failures - freeFailures), delaySecondsMax)
}

/** `delaySecondsAfter` as a table. The first entry is for one failure; the last entry holds for all higher counts. */
export const delaysSeconds: readonly number[] = Array.from({ length: 14 }, (_, at) => delaySecondsAfter(at + 1))

/** Whole seconds until the delay is over, at least one. */
export function retryAfterSeconds(blockedUntil: Date, now: Date): number {
  return Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000))
}
