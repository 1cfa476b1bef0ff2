import type { TenantExists } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import { inTenant, type PlatformScope, type Scope } from '../storage/scope.ts'
import type { LimitCounts, Quotas } from '../usage/index.ts'
import { invitationRoutes } from './invitations/invitation.routes.ts'
import { retentionMs } from './invitations/invitation.rules.ts'
import { type InvitationDeps, invitationService } from './invitations/invitation.service.ts'
import { deleteInvitationsBefore, forgetSender } from './invitations/invitation.store.ts'
import { memberRoutes } from './members/member.routes.ts'
import { type Members, memberService } from './members/member.service.ts'
import { membershipEnder } from './members/user-removal.ts'
import { countMembers } from './membership.store.ts'
import { organizationMembers } from './membership.ts'
import { organizationRoutes } from './organizations/organization.routes.ts'
import { type OrganizationDeps, organizationService } from './organizations/organization.service.ts'
import { countOrganizations } from './organizations/organization.store.ts'
import { transferRoute } from './organizations/transfer.routes.ts'
import { organizationTables } from './tenant-tables.ts'

export type { OrgRole } from './role.rules.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'org.created': { tenantId: string; orgId: string }
    /**
     * Emitted while the organization and its members still exist, under its lock. Handlers write into `erased` how much they
     * delete with it, for the audit entry.
     */
    'org.deleted': { tenantId: string; orgId: string; erased: Record<string, number> }
    'org.member.joined': { tenantId: string; orgId: string; userId: string; role: string }
    'org.member.changed': { tenantId: string; orgId: string; userId: string; role: string }
    /**
     * Emitted while the membership still exists, under the lock of the organization. `heirId`: the member who gets what the
     * leaver has opened to the whole organization.
     */
    'org.member.left': { tenantId: string; orgId: string; userId: string; heirId: string | null }
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
  exportOrganization: OrganizationDeps['exportOrganization']
}

export type OrganizationMembers = typeof organizationMembers

export type Organizations = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  members: OrganizationMembers
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  /** Sets what mails a member gets. Refuses NOT_FOUND. */
  notify: Members['notify']
}

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
    await forgetSender(inTenant(tx, removed.tenantId), removed.userId)
  })
  return {
    routes: [
      ...organizationRoutes({ organizations: records, tenantExists }),
      transferRoute(members),
      ...memberRoutes({ members, tenantExists }),
      ...invitationRoutes({ invitations, clock }),
    ],
    jobs: [
      housekeeping('organizations.invitations.drop-old', '50 3 * * *', () =>
        deleteInvitationsBefore(platform, new Date(clock.now().getTime() - retentionMs)),
      ),
    ],
    tenantTables: organizationTables,
    members: organizationMembers,
    limitCounts: { tenant: { maxOrgs: countOrganizations }, org: { maxOrgMembers: countMembers } },
    notify: members.notify,
  }
}
