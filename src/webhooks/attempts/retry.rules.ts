const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** Delays before the second and each later attempt (Standard Webhooks 1.0.0, "Deliverability and reliability"). */
const retryDelaysMs = [
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
/** Keeps deliveries that failed together from being retried together. */
const jitterShare = 0.1
/** The longest pause that a receiver can ask for. */
const pauseMsMax = 24 * hours
/** An endpoint is disabled after failing for this long. */
const disableAfterMs = 5 * 24 * hours

/** How an attempt ended. With the first three there was a response. */
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
  /** The beginning of the response body. */
  answer: string | null
  /** The pause that `Retry-After` asked for. */
  pauseMs: number | null
}

/** When the next attempt is due after `failures` consecutive failures. Null: there is none. `random` is from 0 to 1. */
export function nextAttemptTime(
  failures: number,
  { pauseMs }: Pick<Outcome, 'pauseMs'>,
  now: Date,
  random: number,
): Date | null {
  const waitMs = retryDelaysMs[failures - 1]
  if (waitMs === undefined) return null
  const wait = waitMs * (1 + jitterShare * random)
  return new Date(now.getTime() + Math.round(Math.max(wait, Math.min(pauseMs ?? 0, pauseMsMax))))
}

/** `BUSY`: the endpoint has its maximum of concurrent attempts. `RATE`: its rate limit is reached. */
const deferrals = {
  BUSY: { first: 1 * seconds, most: 5 * minutes },
  RATE: { first: 1 * minutes, most: 10 * minutes },
}

/**
 * How long an attempt is postponed. Twice as long each time: thousands of deliveries that wait for a hanging endpoint
 * must not keep the database busy with checks. `random` is from 0 to 1.
 */
export function deferralMs(why: keyof typeof deferrals, looks: number, random: number): number {
  const { first, most } = deferrals[why]
  return Math.round(random * Math.min(most, first * 2 ** looks))
}

/** Until when nothing is sent to an endpoint that asked for a pause. */
export function pausedUntil({ pauseMs }: Outcome, now: Date): Date | null {
  return pauseMs === null ? null : new Date(now.getTime() + Math.min(pauseMs, pauseMsMax))
}

/** 410 Gone ends an endpoint at once. */
export function disableReason(
  { statusCode }: Pick<Outcome, 'statusCode'>,
  failingSince: Date,
  now: Date,
): 'GONE' | 'FAILING' | null {
  if (statusCode === 410) return 'GONE'
  return now.getTime() - failingSince.getTime() >= disableAfterMs ? 'FAILING' : null
}

/** The pause that a 429 or 503 response asks for, in seconds or as a date (RFC 9110 section 10.2.3). Null: none. */
export function retryAfterMs(statusCode: number, retryAfter: string | undefined, now: Date): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || retryAfter === undefined) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * seconds
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
