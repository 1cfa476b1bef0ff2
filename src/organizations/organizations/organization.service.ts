import type { Readable } from 'node:stream'
import { requireRevision } from '../../http/cache/precondition.ts'
import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { addMember, type OwnOrganization } from '../membership.store.ts'
import { auditTarget, getOrganization, lockAnyOrganization, lockOrganization } from '../membership.ts'
import { exportReservations } from './export-reservations.ts'
import { requireConfirmation, requireTimeZone, timeZoneDefault } from './organization.rules.ts'
import type { NewOrganization, OrganizationChange } from './organization.schema.ts'
import {
  countOrganizations,
  deleteOrganization,
  insertOrganization,
  type ListedOrganization,
  listOwnOrganizations,
  listTenantOrganizations,
  saveOrganization,
} from './organization.store.ts'

export type OrganizationDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  /** The rows of an organization as a file. `authorize` refuses who may not read them. */
  exportOrganization(
    scope: TenantScope,
    authorize: (tx: TenantScope) => Promise<OwnOrganization>,
  ): Promise<{ content: Readable; sizeBytes: number }>
  /** Mails of invitations that are of no more use. */
  discardInvitationMails(tx: TenantScope, orgId: string): Promise<void>
}

type User = { id: string; role: 'USER' | 'ADMIN' }

export type Organizations = ReturnType<typeof organizationService>

export function organizationService({
  clock,
  events,
  audit,
  quotas,
  exportOrganization,
  discardInvitationMails,
}: OrganizationDeps) {
  /** The creator is the first owner. Refuses VALIDATION_ERROR and QUOTA_EXCEEDED. */
  async function create(scope: TenantScope, user: User, body: NewOrganization): Promise<OwnOrganization> {
    const { timeZone = timeZoneDefault } = body
    requireTimeZone(timeZone)
    const now = clock.now()
    const id = newId(now)
    return transaction(scope, async (tx) => {
      const limits = await quotas.lockLimits(tx, user.id)
      const { maxOrgs } = limits
      if (maxOrgs !== null) refuseOverQuota('maxOrgs', maxOrgs, await countOrganizations(tx))
      await insertOrganization(tx, { id, name: body.name.trim(), timeZone, now })
      await addMember(tx, { orgId: id, userId: user.id, role: 'owner', now }, limits)
      await audit(tx, { action: 'org.create', target: auditTarget({ id }) })
      await events.emit(tx, 'org.created', { tenantId: tx.tenantId, orgId: id })
      return getOrganization(tx, user, { orgId: id })
    })
  }

  type Target = { user: User; orgId: string; ifMatch?: string | undefined }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR and PRECONDITION_FAILED. */
  async function update(
    scope: TenantScope,
    { user, orgId, ifMatch }: Target,
    { name, timeZone }: OrganizationChange,
  ): Promise<OwnOrganization> {
    if (timeZone !== undefined) requireTimeZone(timeZone)
    return transaction(scope, async (tx) => {
      const before = await lockOrganization(tx, user, { orgId, least: 'admin' })
      requireRevision(ifMatch, before)
      const after = { ...before, name: name?.trim() ?? before.name, timeZone: timeZone ?? before.timeZone }
      // Only the names of the fields: the audit entry outlives the organization.
      const fields = (['name', 'timeZone'] as const).filter((field) => before[field] !== after[field])
      if (fields.length === 0) return before
      await audit(tx, { action: 'org.update', target: auditTarget(before), changes: { fields } })
      return saveOrganization(tx, after, clock.now())
    })
  }

  /**
   * By an owner, by an administrator of the tenant, who need not be a member, or (`user` is null) by one of the platform.
   * Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR and PRECONDITION_FAILED.
   */
  const remove = (
    scope: TenantScope,
    { user, orgId, ifMatch }: Omit<Target, 'user'> & { user: User | null },
    confirm: string,
  ): Promise<void> =>
    transaction(scope, async (tx) => {
      const organization =
        user === null || user.role === 'ADMIN'
          ? await lockAnyOrganization(tx, orgId)
          : await lockOrganization(tx, user, { orgId, least: 'owner' })
      requireRevision(ifMatch, organization)
      requireConfirmation(organization, confirm)
      await eraseOrganization(tx, orgId)
    })

  /** Deletes a locked organization with everything in it. */
  async function eraseOrganization(tx: TenantScope, orgId: string): Promise<void> {
    const erased: Record<string, number> = {}
    await events.emit(tx, 'org.deleted', { tenantId: tx.tenantId, orgId, erased })
    await discardInvitationMails(tx, orgId)
    await deleteOrganization(tx, orgId)
    await eraseStoredAnswers(tx, [orgId])
    await audit(tx, { action: 'org.delete', target: auditTarget({ id: orgId }), changes: erased })
  }

  /** `all`: of the tenant, for its administrators. Refuses INSUFFICIENT_ROLE. */
  async function list(
    scope: TenantScope,
    user: User,
    { all, ...page }: PageRequest & { all: boolean },
  ): Promise<Page<ListedOrganization>> {
    if (!all) return listOwnOrganizations(scope, user.id, page)
    if (user.role !== 'ADMIN') throw new Refusal('INSUFFICIENT_ROLE')
    return listTenantOrganizations(scope, user.id, page)
  }

  const reserveExport = exportReservations()

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, RATE_LIMITED and UNAVAILABLE. */
  async function exportFile(scope: TenantScope, user: User, orgId: string) {
    const authorize = (tx: TenantScope) => getOrganization(tx, user, { orgId, least: 'owner' })
    const organization = await authorize(scope)
    const release = reserveExport([orgId, user.id])
    try {
      // Audited before any data is sent: no export without an entry.
      await transaction(scope, (tx) => audit(tx, { action: 'org.export', target: auditTarget(organization) }))
      const file = await exportOrganization(scope, authorize)
      file.content.once('end', release).once('close', release)
      return file
    } catch (error) {
      release()
      throw error
    }
  }

  return { create, list, update, remove, eraseOrganization, exportFile }
}
