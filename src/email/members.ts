import type { TenantScope } from '../storage/scope.ts'

type Role = 'owner' | 'admin' | 'member' | 'viewer'
type Member = { orgId: string; userId: string }

/**
 * What mail asks of organizations. Written out here, because organizations send their invitations by mail: a type of theirs would
 * make the imports run in a circle.
 */
export type Members = {
  /** Refuses NOT_FOUND to who is no member, and INSUFFICIENT_ROLE. */
  get(
    scope: TenantScope,
    user: { id: string },
    asked: { orgId: string; least?: Role },
  ): Promise<{ role: Role; name: string }>
  hold(tx: TenantScope, orgId: string): Promise<boolean>
  holdRole(tx: TenantScope, member: Member): Promise<Role | null>
  isMember(scope: TenantScope, member: Member): Promise<boolean>
  findName(scope: TenantScope, orgId: string): Promise<string | null>
}

/** For a capability that is created before the organizations. */
export function membersOf(organizations: () => Members): Members {
  return {
    get: (...asked) => organizations().get(...asked),
    hold: (...asked) => organizations().hold(...asked),
    holdRole: (...asked) => organizations().holdRole(...asked),
    isMember: (...asked) => organizations().isMember(...asked),
    findName: (...asked) => organizations().findName(...asked),
  }
}
