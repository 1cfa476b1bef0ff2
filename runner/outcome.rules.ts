import type { Stage } from './surfaces/surface.ts'

export type Outcome = { status: 'ended' | 'failed'; reason: string }

const ended = (reason: string): Outcome => ({ status: 'ended', reason })
const failed = (reason: string): Outcome => ({ status: 'failed', reason })

/** What a page that shows this means; null where the visit goes on. Nothing is tried against a captcha or a sign-in. */
export function outcomeOf(stage: Stage): Outcome | null {
  return outcomes[stage] ?? null
}

const outcomes: Partial<Record<Stage, Outcome>> = {
  denied: ended('DENIED'),
  removed: ended('REMOVED'),
  ended: ended('MEETING_ENDED'),
  captcha: failed('BLOCKED'),
  'sign-in': failed('LOGIN_REQUIRED'),
  'host-token': failed('HOST_TOKEN_REQUIRED'),
  'not-found': failed('NOT_FOUND'),
}

/** How long a page may show nothing that is known: long enough to load, and to connect again. */
export const unknownMsMax = 30_000

/** The meaning of an error while the page was opened or followed. */
export function outcomeOfError(message: string): Outcome {
  if (/ERR_NAME_NOT_RESOLVED|ERR_ADDRESS_UNREACHABLE|ERR_CONNECTION_REFUSED|not a public address/.test(message))
    return failed('NOT_FOUND')
  // The browser is gone, not the meeting: another attempt may join.
  if (/has been closed|crashed|Target closed|did not start/i.test(message)) return failed('RUNNER_LOST')
  return failed('PAGE_CHANGED')
}
