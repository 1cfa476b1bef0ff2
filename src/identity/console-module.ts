import type { Route } from '../http/route.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { findAdminKey, hasActiveAdminKey } from './admins/admin-key.store.ts'
import { browserSessionRoutes } from './browser-sessions/browser-session.routes.ts'
import { keyFingerprint, secondsAfter } from './browser-sessions/browser-session.rules.ts'
import {
  type BrowserSessionDeps,
  type BrowserSessions,
  browserSessionService,
} from './browser-sessions/browser-session.service.ts'
import { deleteOldBrowserSessions } from './browser-sessions/browser-session.store.ts'
import { signInLinkRoutes } from './browser-sessions/sign-in-link.routes.ts'
import { linkUrl } from './browser-sessions/sign-in-link.rules.ts'
import { signInLinkService } from './browser-sessions/sign-in-link.service.ts'
import { deleteOldSignInLinks } from './browser-sessions/sign-in-link.store.ts'

type ConsoleDeps = Omit<BrowserSessionDeps, 'fingerprint'> & {
  platform: PlatformScope
  secrets: Pick<Secrets, 'derive'>
  adminKey: string
}

const keptSeconds = 30 * 24 * 3600

/** How administrators sign in to the console. */
export function consoleModule(deps: ConsoleDeps): {
  routes: Route[]
  jobs: JobHandler[]
  sessions: BrowserSessions
  /** A link for whoever starts the service; null if an administrator has a named key. */
  firstLink(origin: string): Promise<string | null>
} {
  const { platform, clock } = deps
  const fingerprint = keyFingerprint(deps.secrets.derive('admin-key-fingerprint'), deps.adminKey)
  const sessions = browserSessionService({ ...deps, fingerprint })
  const links = signInLinkService({ ...deps, fingerprint, findAdminKey })
  return {
    routes: [...browserSessionRoutes(sessions), ...signInLinkRoutes({ links, clock })],
    jobs: [
      housekeeping('identity.browser-sessions.drop-ended', '37 * * * *', async () => {
        const before = secondsAfter(clock.now(), -keptSeconds)
        await deleteOldBrowserSessions(platform, before)
        await deleteOldSignInLinks(platform, before)
      }),
    ],
    sessions,
    firstLink: async (origin) => {
      if (await hasActiveAdminKey(platform, clock.now())) return null
      const { token } = await links.create(platform, { id: null, role: 'OWNER' }, { role: 'OWNER' })
      return linkUrl(origin, token)
    },
  }
}
