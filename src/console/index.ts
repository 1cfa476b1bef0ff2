import type { BrowserSession } from '../http/access/callers.ts'
import type { Route } from '../http/route.ts'
import type { AdminKeys } from '../identity/index.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { browserSessionRoutes } from './browser-sessions/browser-session.routes.ts'
import { secondsAfter } from './browser-sessions/browser-session.rules.ts'
import { type BrowserSessionDeps, browserSessionService } from './browser-sessions/browser-session.service.ts'
import { deleteOldBrowserSessions } from './browser-sessions/browser-session.store.ts'
import { keyFingerprint } from './key-holder.rules.ts'
import { consolePageRoutes } from './pages/console-page.routes.ts'
import { signInLinkRoutes } from './sign-in-links/sign-in-link.routes.ts'
import { linkUrl } from './sign-in-links/sign-in-link.rules.ts'
import { signInLinkService } from './sign-in-links/sign-in-link.service.ts'
import { deleteOldSignInLinks } from './sign-in-links/sign-in-link.store.ts'

export type ConsoleDeps = Omit<BrowserSessionDeps, 'fingerprint'> & {
  platform: PlatformScope
  secrets: Pick<Secrets, 'derive'>
  /** The admin key of the environment (`ADMIN_KEY`). */
  adminKey: string
  adminKeys: AdminKeys
}

export type Console = {
  routes: Route[]
  jobs: JobHandler[]
  authenticator: {
    /** The session of a cookie; null if it is none, or over. Without `isPoll` its idle time starts again. */
    browserSession(secret: string, isPoll: boolean): Promise<BrowserSession | null>
  }
  /** A link that opens the console at this origin, once; null if an administrator has a named key. */
  firstSignInLink(origin: string): Promise<string | null>
}

const keptSeconds = 30 * 24 * 3600

/** The console's pages, and how administrators sign in to it. */
export function consoleModule(deps: ConsoleDeps): Console {
  const { platform, clock, adminKeys } = deps
  const fingerprint = keyFingerprint(deps.secrets.derive('admin-key-fingerprint'), deps.adminKey)
  const sessions = browserSessionService({ ...deps, fingerprint })
  const links = signInLinkService({ ...deps, fingerprint, findAdminKey: adminKeys.findActive })
  return {
    routes: [...browserSessionRoutes(sessions), ...signInLinkRoutes({ links, clock }), ...consolePageRoutes()],
    jobs: [
      housekeeping('console.browser-sessions.drop-ended', '37 * * * *', async () => {
        const before = secondsAfter(clock.now(), -keptSeconds)
        await deleteOldBrowserSessions(platform, before)
        await deleteOldSignInLinks(platform, before)
      }),
    ],
    authenticator: { browserSession: (secret, isPoll) => sessions.find(platform, secret, isPoll) },
    firstSignInLink: async (origin) => {
      if (await adminKeys.hasActive(platform, clock.now())) return null
      const { token } = await links.create(platform, { id: null, role: 'OWNER' }, { role: 'OWNER' })
      return linkUrl(origin, token)
    },
  }
}
