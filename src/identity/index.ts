import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import { housekeeping, type JobHandler, type Jobs } from '../jobs/jobs.ts'
import type { IntervalTask } from '../jobs/schedule.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import { lastUsedBuffer } from '../storage/last-used-buffer.ts'
import type { PlatformScope, Scope, TenantScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { LimitCounts, Quotas } from '../usage/index.ts'
import { accessCheckRoutes } from './access-check/access-check.routes.ts'
import type { InspectLicense } from './access-check/access-check.service.ts'
import { adminKeyRoutes } from './admin-keys/admin-key.routes.ts'
import { adminKeyService } from './admin-keys/admin-key.service.ts'
import { findActiveAdminKey, hasActiveAdminKey, saveAdminKeysLastUsed } from './admin-keys/admin-key.store.ts'
import { wrongAdminKeyAudit } from './admin-keys/wrong-admin-key.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { type Audit, type AuditRecord, auditRecorder, listLastAuditEntries } from './audit/audit.store.ts'
import { auditChain } from './audit/audit-chain.service.ts'
import type { Outbox } from './auth/account-mail.service.ts'
import { deleteExpiredAuthData } from './auth/auth-housekeeping.ts'
import type { PasswordCost } from './auth/password-hash.ts'
import { authModule } from './auth-module.ts'
import { headerAuthenticator, type IdentityAuthenticator } from './authenticator.ts'
import type { GoogleSettings } from './google/google-token.ts'
import { keyRoutes } from './keys/key.routes.ts'
import { keyService } from './keys/key.service.ts'
import { countActiveKeys, hasKeyForProduct } from './keys/key.store.ts'
import { keyCallerCache } from './keys/key-caller-cache.ts'
import { keyLastUsedBuffer } from './keys/key-last-used.ts'
import { readOverview } from './overview.store.ts'
import { searchIdentity } from './search/search.service.ts'
import { tenantRoutes } from './tenants/tenant.routes.ts'
import { type TenantSettings, tenantService } from './tenants/tenant.service.ts'
import { findCustomDomain, isProductChosen, resolveTenant, tenantExists } from './tenants/tenant.store.ts'
import { tenantFileRoutes } from './tenants/tenant-file.routes.ts'
import { type TenantFiles, tenantFileService } from './tenants/tenant-file.service.ts'
import { identityTables } from './tenants/tenant-tables.ts'
import { accessTokens } from './tokens/access-token.ts'
import { endUserSessions } from './tokens/session.store.ts'
import type { FindUnknownProducts } from './unknown-products.ts'
import { normalizeEmail, parseEmail } from './users/email.rules.ts'
import { countUsers, findUser, findVerifiedUser, listReachableAdmins, lockUser } from './users/user.store.ts'
import { userAdministrationRoutes } from './users/user-administration.routes.ts'

export type { InspectLicense } from './access-check/access-check.service.ts'
export type { Audit } from './audit/audit.store.ts'
export type { PasswordCost } from './auth/password-hash.ts'
export type { GoogleSettings } from './google/google-token.ts'
export type { TenantSettings } from './tenants/tenant.service.ts'
export type { FindUnknownProducts as UnknownProducts } from './unknown-products.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'tenant.created': { tenantId: string }
    'tenant.suspended': { tenantId: string }
    'tenant.activated': { tenantId: string }
    'tenant.removed': { tenantId: string }
    /** Emitted while the tenant's rows still exist. The tenant was removed before, or is removed in the same transaction. */
    'tenant.erasing': { tenantId: string }
    'user.created': { tenantId: string; userId: string }
    'user.suspended': { tenantId: string; userId: string }
    'user.activated': { tenantId: string; userId: string }
    'user.removed': { tenantId: string; userId: string }
  }
}

declare module '../storage/row-counts.ts' {
  interface CountedTables {
    users: true
    audit_log: true
  }
}

/** How much later a use of an admin key shows in `lastUsedAt`. */
const lastUsedDelayMs = 1000

export type IdentityDeps = {
  /** The system's own scope outside any request, to look up credentials. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  fanOut: FanOut
  metrics: Metrics
  unknownProducts: FindUnknownProducts
  /** Checks a license, for `POST /admin/access-check`. */
  inspectLicense: InspectLicense
  adminKey: string
  jobs: Jobs
  outbox: Outbox
  settings: TenantSettings
  quotas: Quotas
  rateCounter: RateCounter
  /** Failed logins, and requests for a reset mail, from one client address in a rate limit window. */
  authFailuresMax: number
  /** Tests hash with less. */
  passwordCost?: PasswordCost
  auditRetentionDays: number
  log: Log
  google: GoogleSettings
  isEmbedded: boolean
  /** The tenants' data in the other capabilities, parents before children. A function, because they are created later. */
  tenantTables: () => TenantTable[]
}

/** The named keys of administrators that are neither revoked nor expired. */
export type AdminKeys = { findActive: typeof findActiveAdminKey; hasActive: typeof hasActiveAdminKey }

export type Identity = {
  routes: Route[]
  jobs: JobHandler[]
  intervalTasks: IntervalTask[]
  tenantTables: TenantTable[]
  authenticator: IdentityAuthenticator
  adminKeys: AdminKeys
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  audit: Audit
  /** For the first page of the console. */
  overview: typeof readOverview
  lastAuditEntries(platform: PlatformScope, count: number): Promise<AuditRecord[]>
  /** Finds tenants, users, keys and audit entries. */
  search: typeof searchIdentity
  /** Whether the tenant exists and is not deleted; false for a malformed id. */
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  /** The host of the tenant's own site, if it has one. */
  findCustomDomain: typeof findCustomDomain
  /** An e-mail address in its stored form. Refuses VALIDATION_ERROR at `path`, by default `/body/email`. */
  parseEmail(text: string, path?: string): string
  /** What other capabilities may ask of users. */
  users: {
    /** Whether the user exists; it then does until the transaction ends. */
    hold(tx: TenantScope, userId: string): Promise<boolean>
    /** Null for an unknown user. */
    findEmail(scope: TenantScope, userId: string): Promise<string | null>
    /** The active user with this verified address. */
    findVerified(scope: TenantScope, address: string): Promise<string | null>
    /** The tenant's administrators who can be written to: active, with a verified address. */
    listAdmins(scope: TenantScope): Promise<{ id: string; email: string }[]>
  }
  /** The rows of an organization as a file. `authorize` refuses who may not export. */
  exportOrganization: TenantFiles['exportOrganization']
  /** The tenant with this slug or id, or without a name the only tenant; null if there is none or more than one. */
  soleTenant(scope: PlatformScope, named: string | null): Promise<string | null>
  /** Whether any tenant has an API key for the product, or its users may use it without one. */
  isProductOfTenants(scope: Scope, slug: string): Promise<boolean>
  /** Creates the built-in tenant. Safe on several nodes at once. */
  prepare(): Promise<void>
  /** Writes the buffered times of last use and seals the audit log. */
  flush(): Promise<void>
}

// Short, because an entry that is not sealed yet could be removed unnoticed.
const sealTickSeconds = 5

/** Tenants, their API keys and users, administrators, and the audit log. */
export function identity(deps: IdentityDeps): Identity {
  const { platform, clock, secrets, events, fanOut, unknownProducts, inspectLicense, adminKey, settings } = deps
  const { defaultLimits } = settings
  const chainKey = secrets.derive('audit-chain')
  const audit = auditRecorder(clock, chainKey)
  const chain = auditChain({ key: chainKey, clock, retentionDays: deps.auditRetentionDays })
  const tokens = accessTokens({ seed: secrets.derive('access-tokens'), issuer: 'atrium', audience: 'atrium' })
  const keysLastUsed = keyLastUsedBuffer(platform)
  const adminKeysLastUsed = lastUsedBuffer({
    delayMs: lastUsedDelayMs,
    write: (marks) => saveAdminKeysLastUsed(platform, marks),
  })
  const adminKeys = adminKeyService({ clock, audit })
  const keyCallers = keyCallerCache(platform, fanOut)
  const forgetKeyCallers = keyCallers.forget
  const tenants = tenantService({ clock, events, audit, unknownProducts, forgetKeyCallers })
  const tables = () => [...identityTables, ...deps.tenantTables()]
  const files = tenantFileService({
    clock,
    events,
    audit,
    defaultLimits,
    isEmbedded: deps.isEmbedded,
    redactAudit: chain.redactTenant,
    forgetKeyCallers,
    tables,
  })
  const keys = keyService({ clock, audit, defaultLimits, keyCallers, lastUsed: keysLastUsed, unknownProducts })
  const deleteExpired = deleteExpiredAuthData(platform)
  const sealAudit = () => chain.seal(platform)
  const auth = authModule({ ...deps, audit, tokens })
  const credentials = headerAuthenticator({
    platform,
    clock,
    tokens,
    keyCallers,
    keysLastUsed,
    adminKeysLastUsed,
    adminKey,
  })
  const noteWrongAdminKey = wrongAdminKeyAudit({ ...deps, audit })

  return {
    routes: [
      ...tenantRoutes({ tenants, defaultLimits }),
      ...tenantFileRoutes(files),
      ...keyRoutes({ keys, clock }),
      ...adminKeyRoutes({ adminKeys, clock }),
      ...auditRoutes({ audit, chainKey }),
      ...accessCheckRoutes({ clock, inspectLicense }),
      ...auth.routes,
      ...userAdministrationRoutes({ clock, events, audit, endSessions: endUserSessions }),
    ],
    limitCounts: { tenant: { maxUsers: countUsers, maxApiKeys: (scope) => countActiveKeys(scope, clock.now()) } },
    authenticator: { ...credentials, noteWrongAdminKey },
    adminKeys: { findActive: findActiveAdminKey, hasActive: hasActiveAdminKey },
    jobs: [
      ...auth.handlers,
      housekeeping('identity.users.drop-ended', '7 * * * *', () => deleteExpired(clock.now())),
      housekeeping('identity.audit.drop-old', '23 * * * *', () => chain.deleteOld(platform)),
    ],
    intervalTasks: [
      { name: 'identity.audit.seal', everySeconds: sealTickSeconds, run: async () => void (await sealAudit()) },
    ],
    audit,
    overview: readOverview,
    lastAuditEntries: listLastAuditEntries,
    search: searchIdentity,
    tenantExists,
    findCustomDomain,
    parseEmail,
    users: {
      hold: async (tx, userId) => (await lockUser(tx, userId)) !== null,
      findEmail: async (scope, userId) => (await findUser(scope, userId))?.email ?? null,
      findVerified: async (scope, address) => {
        const email = normalizeEmail(address)
        return email && findVerifiedUser(scope, email)
      },
      listAdmins: listReachableAdmins,
    },
    exportOrganization: files.exportOrganization,
    soleTenant: resolveTenant,
    isProductOfTenants: async (scope, slug) =>
      (await hasKeyForProduct(scope, slug)) || (await isProductChosen(scope, slug)),
    tenantTables: identityTables,
    prepare: async () => {
      await chain.initialize(platform)
      await tenants.prepare(platform)
    },
    flush: async () => {
      // If sealing fails, the entries are sealed after the next start.
      await Promise.all([keysLastUsed.flush(), adminKeysLastUsed.flush(), sealAudit().catch(() => undefined)])
    },
  }
}
