import type { Route } from '../http/route.ts'
import type { Audit, InspectLicense, UnknownProducts } from '../identity/index.ts'
import type { IntervalTask } from '../jobs/schedule.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Found } from '../kernel/found.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import { lastUsedBuffer } from '../storage/last-used-buffer.ts'
import type { PlatformScope, Scope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { inspectionService } from './inspection/inspection.service.ts'
import { licenseRoutes } from './licenses/license.routes.ts'
import { licenseRef, licenseService } from './licenses/license.service.ts'
import { hasLicenseFor, revokeAllLicenses, saveLastValidated } from './licenses/license.store.ts'
import { licenseIssuer } from './licenses/license-issuing.ts'
import { readLicensingOverview, searchLicense } from './licenses/license-overview.store.ts'
import { emitTermEvents } from './licenses/term.service.ts'
import { licensingMetrics } from './licensing-metrics.ts'
import { licensingTables } from './tenant-tables.ts'
import { emitExhausted } from './uses/exhaustion.service.ts'
import { useRoutes } from './uses/use.routes.ts'
import { type Licenses, useService } from './uses/use.service.ts'
import { useBatcher } from './uses/use-batch.ts'
import { validationRoute } from './validation/validation.routes.ts'
import { validationService } from './validation/validation.service.ts'

export { sealedLicenseKeys } from './licenses/license-issuing.ts'
export { planEnd, planInForce } from './licenses/plan-in-force.store.ts'
export type { LicenseInUse, Licenses } from './uses/use.service.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'license.issued': { tenantId: string; licenseId: string; product: string }
    /** Its last use was taken at most some seconds ago, or its limit was lowered to the uses that it has had. */
    'license.exhausted': { tenantId: string; licenseId: string }
    'license.revoked': { tenantId: string; licenseId: string }
    /** Its term ends within a week. Emitted once a term. */
    'license.expiring': { tenantId: string; licenseId: string; expiresAt: Date }
    /** Its term has ended, at most a minute ago while the service runs. Emitted once a term. */
    'license.expired': { tenantId: string; licenseId: string; expiresAt: Date }
    /** `product` is empty if the request named none that the license is valid for. Not always emitted in a transaction. */
    'license.validated': { tenantId: string; product: string }
    /** Its `expiresAt` was changed. */
    'license.term-changed': { tenantId: string; licenseId: string }
  }
}

declare module '../storage/row-counts.ts' {
  interface CountedTables {
    licenses: true
  }
}

/** How much later a validation shows in `lastValidatedAt`. */
const lastValidatedDelayMs = 1000

type LicensingDeps = {
  /** The system's own scope, which writes `lastValidatedAt`. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  audit: Audit
  unknownProducts: UnknownProducts
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
}

export type Licensing = {
  routes: Route[]
  overview: typeof readLicensingOverview
  /** Finds a license by its id or key. */
  search(platform: PlatformScope, text: string): Promise<Found[]>
  intervalTasks: IntervalTask[]
  licenses: Licenses
  inspect: InspectLicense
  /** Whether any tenant has a license for the product. */
  isProductLicensed(scope: Scope, slug: string): Promise<boolean>
  tenantTables: TenantTable[]
  flush(): Promise<void>
}

// Thousands of uses per second are counted in batches. The events about exhausted licenses can wait this long.
const exhaustionTickSeconds = 5
const termTickSeconds = 60

/** Licenses, and the uses that products take from them. */
export function licensing(deps: LicensingDeps): Licensing {
  const { platform, clock, secrets, events } = deps
  const validated = lastUsedBuffer({
    delayMs: lastValidatedDelayMs,
    write: (marks) => saveLastValidated(platform, marks),
  })
  // The licenses of a removed tenant must not work. No event per license: the VPN listens to the removal itself.
  events.on('tenant.removed', (tx, { tenantId }) => revokeAllLicenses(tx, tenantId, clock.now()))
  const issue = licenseIssuer(deps)
  const licenses = licenseService({ ...deps, issue, validated })
  const counted = licensingMetrics(deps)
  const validate = counted.validation(validationService({ clock, validated, consumeUse: useBatcher(platform, clock) }))
  return {
    routes: [...licenseRoutes({ licenses, clock, secrets }), validationRoute(validate), ...useRoutes({ licenses })],
    intervalTasks: [
      {
        name: 'licensing.exhaustions.tell',
        everySeconds: exhaustionTickSeconds,
        run: () => emitExhausted(platform, events),
      },
      {
        name: 'licensing.terms.tell',
        everySeconds: termTickSeconds,
        run: () => emitTermEvents({ platform, clock, events }),
      },
    ],
    overview: readLicensingOverview,
    search: async (scope, text) => {
      const ref = licenseRef(text)
      return ref === null ? [] : searchLicense(scope, ref)
    },
    licenses: counted.licenses(useService({ clock, issue })),
    inspect: inspectionService({ clock }),
    isProductLicensed: hasLicenseFor,
    tenantTables: licensingTables(secrets),
    flush: validated.flush,
  }
}
