const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** Waits before the second and each later try (Standard Webhooks 1.0.0, "Deliverability and reliability"). */
const waitsMs = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
]
/** So that what failed together is not tried again together. */
const jitterShare = 0.1
/** A receiver that asks for a longer pause gets this one. */
const pauseMsMax = 24 * hours
/** An endpoint with nothing but failures for so long is disabled. */
const patienceMs = 5 * 24 * hours

/** How one try ended; of the first three there was an answer. */
export const results = [
  'DELIVERED',
  'STATUS',
  'REDIRECT',
  'TIMEOUT',
  'NAME',
  'ADDRESS',
  'CONNECTION',
  'TLS',
  'CERTIFICATE',
  'ANSWER',
] as const
export type Result = (typeof results)[number]

export type Outcome = {
  result: Result
  statusCode: number | null
  /** How the body of the answer begins. */
  answer: string | null
  /** What `Retry-After` asked for. */
  pauseMs: number | null
}

/** When the next try is due after so many failures in a row, or null: there is none. `random` is from 0 to 1. */
export function nextTryAt(
  failures: number,
  { pauseMs }: Pick<Outcome, 'pauseMs'>,
  now: Date,
  random: number,
): Date | null {
  const waitMs = waitsMs[failures - 1]
  if (waitMs === undefined) return null
  const wait = waitMs * (1 + jitterShare * random)
  return new Date(now.getTime() + Math.round(Math.max(wait, Math.min(pauseMs ?? 0, pauseMsMax))))
}

/** `BUSY`: as many tries as may be are on their way to the endpoint. `RATE`: it has had as many as it wants. */
const spreadMs = {
  BUSY: { first: 1 * seconds, most: 5 * minutes },
  RATE: { first: 1 * minutes, most: 10 * minutes },
}

/**
 * How long a try waits that cannot be made now. Twice as long each time: thousands that wait for an endpoint that hangs
 * must not keep the database busy with looking whether it is free. `random` is from 0 to 1.
 */
export function putOffMs(why: keyof typeof spreadMs, looks: number, random: number): number {
  const { first, most } = spreadMs[why]
  return Math.round(random * Math.min(most, first * 2 ** looks))
}

/** Until when an endpoint that asked for a pause is sent nothing. */
export function pausedUntil({ pauseMs }: Outcome, now: Date): Date | null {
  return pauseMs === null ? null : new Date(now.getTime() + Math.min(pauseMs, pauseMsMax))
}

/** 410 says that nobody will ever listen there again. */
export function disablingReason(
  { statusCode }: Pick<Outcome, 'statusCode'>,
  failingSince: Date,
  now: Date,
): 'GONE' | 'FAILING' | null {
  if (statusCode === 410) return 'GONE'
  return now.getTime() - failingSince.getTime() >= patienceMs ? 'FAILING' : null
}

/** In milliseconds, of an answer with 429 or 503: seconds, or a date (RFC 9110 section 10.2.3). Null: it says nothing. */
export function pauseOf(statusCode: number, retryAfter: string | undefined, now: Date): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || retryAfter === undefined) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * seconds
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
