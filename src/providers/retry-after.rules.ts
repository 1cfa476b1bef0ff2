const defaultWaitMs = 30_000
const waitMsMax = 3600_000

/**
 * Until when the account takes no more calls; null: it does. Read at 429, and at 503 where the header is sent.
 * @param retryAfter seconds or a date (RFC 9110, section 10.2.3).
 */
export function retryAt({ status, retryAfter }: { status: number; retryAfter: string | null }, now: Date): Date | null {
  if (status !== 429 && !(status === 503 && retryAfter !== null)) return null
  return new Date(now.getTime() + Math.min(waitMs(retryAfter, now), waitMsMax))
}

function waitMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return defaultWaitMs
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? defaultWaitMs : Math.max(0, date - now.getTime())
}
