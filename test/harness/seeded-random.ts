/** Random choices that a seed repeats. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  fraction(): number
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number
  oneOf<T>(choices: readonly T[]): T
  /** One of the choices, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
}

/** mulberry32, a generator of 32 bits in the public domain. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    oneOf: (choices) => choices[below(choices.length)] as never,
    weighted: (choices) => {
      let left = fraction() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return choices.at(-1)?.[1] as never
    },
  }
}
