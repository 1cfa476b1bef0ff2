import type { PlatformScope } from '../../storage/scope.ts'
import { deleteEndedSessions } from '../tokens/session.store.ts'
import { deleteOldFailures } from './login-failure.store.ts'

const dayMs = 24 * 3600 * 1000

/** Deletes failed-login counters, sessions and refresh tokens that ended more than a day ago. */
export function deleteExpiredAuthData(platform: PlatformScope): (now: Date) => Promise<void> {
  return async (now) => {
    const dayAgo = new Date(now.getTime() - dayMs)
    await deleteOldFailures(platform, dayAgo)
    await deleteEndedSessions(platform, dayAgo)
  }
}
