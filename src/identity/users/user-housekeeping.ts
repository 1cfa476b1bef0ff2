import type { PlatformScope } from '../../storage/scope.ts'
import { dropEndedSessions } from '../tokens/session.store.ts'
import { dropQuietFailures } from './login-failure.store.ts'

const dayMs = 24 * 3600 * 1000
/** Nothing depends on what is dropped here, and finding it reads whole tables. */
const intervalMs = 3600 * 1000

/** Forgets what ended a day ago: failed logins, sessions, refresh tokens. May be called often; works once an hour. */
export function userHousekeeping(platform: PlatformScope): (now: Date) => Promise<void> {
  let nextMs = 0
  return async (now) => {
    if (now.getTime() < nextMs) return
    nextMs = now.getTime() + intervalMs
    const dayAgo = new Date(now.getTime() - dayMs)
    await dropQuietFailures(platform, dayAgo)
    await dropEndedSessions(platform, dayAgo)
  }
}
