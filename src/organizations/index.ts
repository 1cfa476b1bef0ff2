import type { TenantExists } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import { type PlatformScope, type Scope, scopeToTenant } from '../storage/scope.ts'
import type { Quotas } from '../usage/index.ts'
import { invitationRoutes } from './invitations/invitation.routes.ts'
import { retentionMs } from './invitations/invitation.rules.ts'
import { type InvitationDeps, invitationService } from './invitations/invitation.service.ts'
import { deleteInvitationsBefore, forgetSender } from './invitations/invitation.store.ts'
import { memberRoutes } from './members/member.routes.ts'
import { memberService } from './members/member.service.ts'
import { membershipEnder } from './members/user-removal.ts'
import { organizationRoutes } from './organizations/organization.routes.ts'
import { organizationService } from './organizations/organization.service.ts'
import { organizationTables } from './tenant-tables.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'org.created': { tenantId: string; orgId: string }
    /** Emitted while the organization and its members still exist, under its lock. */
    'org.deleted': { tenantId: string; orgId: string }
    'org.member.joined': { tenantId: string; orgId: string; userId: string; role: string }
    'org.member.changed': { tenantId: string; orgId: string; userId: string; role: string }
    'org.member.left': { tenantId: string; orgId: string; userId: string }
  }
}

export type OrganizationsDeps = {
  platform: PlatformScope
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  tenantExists: TenantExists
  outbox: InvitationDeps['outbox']
  parseEmail: InvitationDeps['parseEmail']
}

export type Organizations = { routes: Route[]; jobs: JobHandler[]; tenantTables: TenantTable[] }

/** Groups of users inside a tenant: their members, roles and invitations. */
export function organizations(deps: OrganizationsDeps): Organizations {
  const { platform, clock, events, tenantExists } = deps
  const invitations = invitationService(deps)
  const { revokeInvitationsOf, discardInvitationMails } = invitations
  const records = organizationService({ ...deps, discardInvitationMails })
  const members = memberService({ ...deps, revokeInvitationsOf })
  const endMemberships = membershipEnder({ members, eraseOrganization: records.eraseOrganization })
  events.on('user.removed', async (tx: Scope, removed) => {
    await endMemberships(tx, removed)
    await forgetSender(tx.kind === 'tenant' ? tx : scopeToTenant(tx, removed.tenantId), removed.userId)
  })
  return {
    routes: [
      ...organizationRoutes({ organizations: records, tenantExists }),
      ...memberRoutes({ members, tenantExists }),
      ...invitationRoutes({ invitations, clock }),
    ],
    jobs: [
      housekeeping('organizations.invitations.drop-old', '50 3 * * *', () =>
        deleteInvitationsBefore(platform, new Date(clock.now().getTime() - retentionMs)),
      ),
    ],
    tenantTables: organizationTables,
  }
}
