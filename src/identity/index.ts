import type { Authenticator } from '../http/access.ts'
import type { RateCounter } from '../http/rate-limit.ts'
import type { Route } from '../http/route.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import type { Jobs, JobWork } from '../storage/jobs/jobs.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { accounts, type MailSettings } from './accounts.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { type Audit, auditOf } from './audit/audit.store.ts'
import { authenticatorOf } from './authenticator.ts'
import { keyRoutes } from './keys/key.routes.ts'
import { keyService, type UnknownProducts } from './keys/key.service.ts'
import { keyCallersOf } from './keys/key-callers.ts'
import { keyStampsOf } from './keys/key-stamps.ts'
import { type Quotas, quotas } from './tenants/quota.store.ts'
import { tenantRoutes } from './tenants/tenant.routes.ts'
import { tenantService } from './tenants/tenant.service.ts'
import { tenantExists } from './tenants/tenant.store.ts'
import { accessTokens } from './tokens/access-token.ts'
import { userAdministrationRoutes } from './users/user-administration.routes.ts'
import { userHousekeeping } from './users/user-housekeeping.ts'

export type { MailSettings } from './accounts.ts'
export type { Audit } from './audit/audit.store.ts'
export type { UnknownProducts } from './keys/key.service.ts'
export type { Quotas } from './tenants/quota.store.ts'

export type IdentityDeps = {
  /** The system's own scope outside any request: looks up credentials. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  fanOut: FanOut
  metrics: Metrics
  unknownProducts: UnknownProducts
  adminKey: string
  jobs: Jobs
  mail: MailSettings
  rateCounter: RateCounter
  /** Failed logins, and asked-for reset mails, of one address in a rate limit window. */
  authFailuresMax: number
}

export type Identity = {
  routes: Route[]
  jobs: JobWork[]
  authenticator: Authenticator
  audit: Audit
  quotas: Quotas
  /** Whether the tenant is there and not deleted; false for what is no id. */
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  /** Makes the built-in tenant, and sends off mails that waited for a mail server; safe on several nodes at once. */
  prepare(): Promise<void>
  /** Writes the times of last use that are still waiting. */
  flush(): Promise<void>
  housekeep(): Promise<void>
}

/** Tenants, their API keys and users, administrators, and the audit log. */
export function identity(deps: IdentityDeps): Identity {
  const { platform, clock, secrets, events, fanOut, unknownProducts, adminKey } = deps
  const audit = auditOf(clock)
  const tokens = accessTokens({ seed: secrets.derive('access-tokens'), issuer: 'atrium', audience: 'atrium' })
  const keyStamps = keyStampsOf(platform)
  const keyCallers = keyCallersOf(platform, fanOut)
  const tenants = tenantService({ clock, events, audit, keyCallers })
  const keys = keyService({ clock, audit, keyCallers, unknownProducts })
  const dropEnded = userHousekeeping(platform)
  const people = accounts({ ...deps, audit, tokens, quotas })

  return {
    routes: [
      ...tenantRoutes(tenants),
      ...keyRoutes({ keys, clock }),
      ...auditRoutes(),
      ...people.routes,
      ...userAdministrationRoutes({ clock, events, audit }),
    ],
    jobs: people.works,
    authenticator: authenticatorOf({ platform, clock, tokens, keyCallers, keyStamps, adminKey }),
    audit,
    quotas,
    tenantExists,
    prepare: async () => {
      await tenants.prepare(platform)
      await people.prepare(platform)
    },
    flush: keyStamps.flush,
    housekeep: async () => {
      await dropEnded(clock.now())
      await people.housekeep(platform)
    },
  }
}
