import type { PlatformScope } from '../../storage/scope.ts'
import { dropEndedSessions } from '../tokens/session.store.ts'
import { dropQuietFailures } from './login-failure.store.ts'

const dayMs = 24 * 3600 * 1000

/** Forgets what ended a day ago: failed logins, sessions, refresh tokens. */
export function userHousekeeping(platform: PlatformScope): (now: Date) => Promise<void> {
  return async (now) => {
    const dayAgo = new Date(now.getTime() - dayMs)
    await dropQuietFailures(platform, dayAgo)
    await dropEndedSessions(platform, dayAgo)
  }
}
