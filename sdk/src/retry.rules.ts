import type { AtriumError } from './errors.ts'

/** 502 and 504 are what a proxy answers when the service does not. */
const temporaryStatuses = [0, 408, 429, 502, 503, 504]
const firstWaitMs = 250
const waitMsMax = 8000

/** Whether the same request may succeed later. */
export function isTemporary(error: AtriumError): boolean {
  return error.code === 'IDEMPOTENCY_IN_PROGRESS' || temporaryStatuses.includes(error.status)
}

/**
 * A random time below a limit that doubles with each retry, so that clients which failed together do not return together; or
 * what the service asked for, if that is longer. `random` is from 0 to 1.
 */
export function waitMs(retry: number, retryAfterMs: number | null, random: number): number {
  return Math.max(retryAfterMs ?? 0, random * Math.min(waitMsMax, firstWaitMs * 2 ** retry))
}
