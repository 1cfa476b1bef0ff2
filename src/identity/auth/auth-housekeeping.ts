import type { PlatformScope } from '../../storage/scope.ts'
import { deleteEndedSessions } from '../tokens/session.store.ts'
import { deleteOldFailures } from './login-failure.store.ts'
import { sourceLifetimeSeconds } from './login-source.rules.ts'
import { deleteOldSources } from './login-source.store.ts'

const dayMs = 24 * 3600 * 1000

/** Deletes failed-login counters, sessions and refresh tokens that ended more than a day ago, and unused login sources. */
export function deleteExpiredAuthData(platform: PlatformScope): (now: Date) => Promise<void> {
  return async (now) => {
    const dayAgo = new Date(now.getTime() - dayMs)
    await deleteOldFailures(platform, dayAgo)
    await deleteEndedSessions(platform, dayAgo)
    await deleteOldSources(platform, new Date(now.getTime() - sourceLifetimeSeconds * 1000))
  }
}
