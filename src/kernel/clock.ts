/** The only source of the current time. It is injected everywhere, so that tests move the time instead of waiting. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
