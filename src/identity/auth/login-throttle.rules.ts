/** SP 800-63B section 3.2.2 asks for a limit on failures in a row; four are what a person mistypes. */
export const freeFailures = 4
/** A delay and no lock: a stranger who guesses cannot shut the owner out for longer than this. */
const delaySecondsMax = 900

/** How long nothing is checked after so many failures in a row: 2 s after the fifth, doubling up to 15 minutes. */
export function delaySecondsAfter(failures: number): number {
  return failures <= freeFailures ? 0 : Math.min(2 ** (failures - freeFailures), delaySecondsMax)
}

/** `delaySecondsAfter` as a table, first entry for one failure; its last entry holds for all that follow. */
export const delaysSeconds: readonly number[] = Array.from({ length: 14 }, (_, at) => delaySecondsAfter(at + 1))

/** Whole seconds until a delay has surely ended, at least one. */
export function retryAfterSeconds(blockedUntil: Date, now: Date): number {
  return Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000))
}
