import type { Authenticator } from '../http/access.ts'
import type { Log } from '../http/parts.ts'
import type { Route } from '../http/route.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { type Audit, auditOf } from './audit/audit.store.ts'
import { authenticatorOf } from './authenticator.ts'
import { type GoogleSettings, googleTokens } from './google/google-token.ts'
import { keyRoutes } from './keys/key.routes.ts'
import { keyService, type UnknownProducts } from './keys/key.service.ts'
import { keyStampsOf } from './keys/key-stamps.ts'
import { type Quotas, quotas } from './tenants/quota.store.ts'
import { tenantRoutes } from './tenants/tenant.routes.ts'
import { tenantService } from './tenants/tenant.service.ts'
import { tenantExists } from './tenants/tenant.store.ts'
import { tenantFileRoutes } from './tenants/tenant-file.routes.ts'
import { tenantFileService } from './tenants/tenant-file.service.ts'
import { identityTables } from './tenants/tenant-tables.ts'
import { accessTokens } from './tokens/access-token.ts'
import { passwordHasher } from './users/password-hash.ts'
import { userRoutes } from './users/user.routes.ts'
import { userAdministrationRoutes } from './users/user-administration.routes.ts'
import { userHousekeeping } from './users/user-housekeeping.ts'

export type { Audit } from './audit/audit.store.ts'
export type { GoogleSettings } from './google/google-token.ts'
export type { UnknownProducts } from './keys/key.service.ts'
export type { Quotas } from './tenants/quota.store.ts'

export type IdentityDeps = {
  /** The system's own scope outside any request: looks up credentials. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  unknownProducts: UnknownProducts
  adminKey: string
  log: Log
  google: GoogleSettings
  /** What the products hold of tenants, parents before children. Asked when it is needed: they are made after this. */
  tenantTables: () => TenantTable[]
}

export type Identity = {
  routes: Route[]
  tenantTables: TenantTable[]
  authenticator: Authenticator
  audit: Audit
  quotas: Quotas
  /** Whether the tenant is there and not deleted; false for what is no id. */
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  /** Makes the built-in tenant; safe on several nodes at once. */
  prepare(): Promise<void>
  /** Writes the times of last use that are still waiting. */
  flush(): Promise<void>
  housekeep(): Promise<void>
}

/** Tenants, their API keys and users, administrators, and the audit log. */
export function identity(deps: IdentityDeps): Identity {
  const { platform, clock, secrets, events, unknownProducts, adminKey, log } = deps
  const audit = auditOf(clock)
  const tokens = accessTokens({ seed: secrets.derive('access-tokens'), issuer: 'atrium', audience: 'atrium' })
  const keyStamps = keyStampsOf(platform)
  const tenants = tenantService({ clock, events, audit })
  const tables = () => [...identityTables, ...deps.tenantTables()]
  const files = tenantFileService({ clock, events, audit, tables })
  const keys = keyService({ clock, audit, unknownProducts, stamps: keyStamps })
  const dropEnded = userHousekeeping(platform)

  return {
    routes: [
      ...tenantRoutes(tenants),
      ...tenantFileRoutes(files),
      ...keyRoutes({ keys, clock }),
      ...auditRoutes(),
      ...userRoutes({
        clock,
        secrets,
        audit,
        tokens,
        events,
        quotas,
        hasher: passwordHasher(),
        google: googleTokens({ ...deps.google, clock, log }),
      }),
      ...userAdministrationRoutes({ clock, events, audit }),
    ],
    authenticator: authenticatorOf({ platform, clock, tokens, keyStamps, adminKey }),
    audit,
    quotas,
    tenantExists,
    tenantTables: identityTables,
    prepare: () => tenants.prepare(platform),
    flush: keyStamps.flush,
    housekeep: () => dropEnded(clock.now()),
  }
}
