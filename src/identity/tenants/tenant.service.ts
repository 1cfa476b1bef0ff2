import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/paging.ts'
import { completeLimits } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { parseEmail } from '../users/email.rules.ts'
import {
  applyPatch,
  builtInSlug,
  changedMembers,
  completeWhitelabel,
  parseWhitelabel,
  refuseBuiltIn,
  refuseUnconfirmed,
  type Tenant,
  type TenantPatch,
} from './tenant.rules.ts'
import type { NewTenant } from './tenant.schema.ts'
import {
  addTenant,
  findTenant,
  listTenants,
  lockTenant,
  removeTenant,
  saveTenant,
  type TenantSearch,
} from './tenant.store.ts'

export type TenantDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  /** Clears the cache of API keys. Called after every commit that changes a tenant. */
  forgetKeyCallers(): void
}
export type Tenants = ReturnType<typeof tenantService>

export function tenantService({ clock, events, audit, forgetKeyCallers }: TenantDeps) {
  const add = async (tx: PlatformScope, input: NewTenant): Promise<Tenant | null> => {
    const tenant = newTenant(input, clock.now())
    if (!(await addTenant(tx, tenant))) return null
    const { id, name, slug, contactEmail, limits, whitelabelConfig } = tenant
    const changes = { name, slug, contactEmail, limits, whitelabelConfig }
    await audit(tx, { action: 'tenant.create', target: { type: 'tenant', id }, tenantId: id, changes })
    await events.emit(tx, 'tenant.created', { tenantId: id })
    return tenant
  }

  /** Returns the action for the audit log. */
  const emitStatusChange = async (tx: PlatformScope, before: Tenant, after: Tenant): Promise<string> => {
    if (before.status === after.status) return 'tenant.update'
    const isSuspended = after.status === 'SUSPENDED'
    await events.emit(tx, isSuspended ? 'tenant.suspended' : 'tenant.activated', { tenantId: after.id })
    return isSuspended ? 'tenant.suspend' : 'tenant.activate'
  }

  return {
    /** Refuses SLUG_TAKEN, and VALIDATION_ERROR for an invalid e-mail address. */
    create: (platform: PlatformScope, input: NewTenant): Promise<Tenant> =>
      transaction(platform, async (tx) => {
        const tenant = await add(tx, input)
        if (tenant === null)
          throw new Refusal('SLUG_TAKEN', { detail: `Another tenant already has the slug ${input.slug}.` })
        return tenant
      }),

    get: async (platform: PlatformScope, id: string): Promise<Tenant> => {
      const tenant = await findTenant(platform, { id, now: clock.now() })
      if (tenant === null) throw notFound()
      return tenant
    },

    list: (platform: PlatformScope, search: Omit<TenantSearch, 'now'>): Promise<Page<Tenant>> =>
      listTenants(platform, { ...search, now: clock.now() }),

    /** A PATCH that changes nothing writes no audit entry. Refuses STATE_CONFLICT for suspending the built-in tenant. */
    update: (platform: PlatformScope, id: string, patch: TenantPatch): Promise<Tenant> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const before = await lockTenant(tx, { id, now })
        const after = { ...applyPatch(before, patch), updatedAt: now }
        const changes = changedMembers(before, after)
        if (Object.keys(changes).length === 0) return before
        await saveTenant(tx, after)
        tx.handle.afterCommit(forgetKeyCallers)
        const action = await emitStatusChange(tx, before, after)
        await audit(tx, { action, target: { type: 'tenant', id }, tenantId: id, changes })
        return after
      }),

    /** Afterwards the tenant looks as if it never existed. `confirm` must be its slug. Refuses STATE_CONFLICT for the built-in tenant. */
    remove: (platform: PlatformScope, { id, confirm }: { id: string; confirm: string }): Promise<void> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const tenant = await lockTenant(tx, { id, now })
        refuseUnconfirmed(tenant, confirm)
        refuseBuiltIn(tenant, 'deleted')
        await removeTenant(tx, { id, now })
        tx.handle.afterCommit(forgetKeyCallers)
        await events.emit(tx, 'tenant.removed', { tenantId: id })
        await audit(tx, {
          action: 'tenant.delete',
          target: { type: 'tenant', id },
          tenantId: id,
          changes: { slug: tenant.slug },
        })
      }),

    /** Creates the built-in tenant if it is missing. If several nodes start at once, only one creates it. */
    prepare: (platform: PlatformScope): Promise<void> =>
      transaction(platform, async (tx) => {
        await add(tx, { name: 'Platform', slug: builtInSlug, contactEmail: 'platform@atrium.invalid' })
      }),
  }
}

function newTenant({ name, slug, contactEmail, limits, whitelabelConfig }: NewTenant, now: Date): Tenant {
  return {
    id: newId(now),
    name: name.trim(),
    slug,
    contactEmail: parseEmail(contactEmail, '/body/contactEmail'),
    status: 'ACTIVE',
    limits: completeLimits(limits ?? null),
    whitelabelConfig: completeWhitelabel(parseWhitelabel(whitelabelConfig ?? {})),
    keyPrefix: null,
    createdAt: now,
    updatedAt: now,
  }
}
