import type { Route } from '../http/route.ts'
import type { Audit, UnknownProducts } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { stamps } from '../storage/stamps.ts'
import { issuing } from './licenses/issue.ts'
import { licenseRoutes } from './licenses/license.routes.ts'
import { licenseService } from './licenses/license.service.ts'
import { revokeAllLicenses, stampValidated } from './licenses/license.store.ts'
import { validationService } from './licenses/validation.service.ts'
import { licensingTables } from './tenant-tables.ts'
import { useRoutes } from './uses/use.routes.ts'
import { type Licenses, useService } from './uses/use.service.ts'

export type { LicenseInUse, Licenses } from './uses/use.service.ts'

/** A validation is seen in `lastValidatedAt` this much later, in milliseconds. */
const stampDelayMs = 1000

type Parts = {
  /** In the name of the system: writes the stamps. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  audit: Audit
  unknownProducts: UnknownProducts
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
}

/** Licenses, and the uses that products take of them. */
export function licensing(parts: Parts): {
  routes: Route[]
  licenses: Licenses
  tenantTables: TenantTable[]
  flush(): Promise<void>
} {
  const { platform, clock, secrets, events } = parts
  const validated = stamps({ delayMs: stampDelayMs, write: (marks) => stampValidated(platform, marks) })
  // A tenant that is gone has nothing that is still good. The VPN hears of the removal itself.
  events.on('tenant.removed', (tx, { tenantId }) => revokeAllLicenses(tx, tenantId, clock.now()))
  const issue = issuing(parts)
  const licenses = licenseService({ ...parts, issue, validated })
  const validate = validationService({ clock, validated })
  return {
    routes: [...licenseRoutes({ licenses, validate, clock, secrets }), ...useRoutes({ licenses })],
    licenses: useService({ clock, issue }),
    tenantTables: licensingTables(secrets),
    flush: validated.flush,
  }
}
