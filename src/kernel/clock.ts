/** The only source of the present: injected everywhere, so that tests move time instead of waiting for it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
