import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/paging.ts'
import type { DefaultLimits } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { type FindUnknownProducts, refuseUnknownProducts } from '../unknown-products.ts'
import { parseEmail } from '../users/email.rules.ts'
import {
  applyPatch,
  builtInSlug,
  changedMembers,
  completeWhitelabel,
  inOrder,
  parseWhitelabel,
  refuseBuiltIn,
  refuseUnconfirmed,
  type Tenant,
  type TenantPatch,
  tenantRules,
} from './tenant.rules.ts'
import type { NewTenant } from './tenant.schema.ts'
import {
  addTenant,
  findTenant,
  listTenants,
  lockTenant,
  productsOfKeys,
  removeTenant,
  saveTenant,
  type TenantSearch,
} from './tenant.store.ts'

export type TenantDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  unknownProducts: FindUnknownProducts
  /** Clears the cache of API keys. Called after every commit that changes a tenant. */
  forgetKeyCallers(): void
}
export type TenantSettings = {
  /** Of tenants for which an administrator has set no others. */
  defaultLimits: DefaultLimits
  /** Whether anybody may become a user of the built-in tenant, without an API key. */
  isPlatformRegistrationOpen: boolean
}

export type Tenants = ReturnType<typeof tenantService>

export function tenantService({ clock, events, audit, unknownProducts, forgetKeyCallers }: TenantDeps) {
  const add = async (tx: PlatformScope, input: NewTenant): Promise<Tenant | null> => {
    const tenant = newTenant(input, clock.now())
    await refuseUnknownProducts(tx, input.products ?? [], unknownProducts)
    if (!(await addTenant(tx, tenant))) return null
    const { id, name, slug, contactEmail, limits, products, whitelabelConfig } = tenant
    const changes = { name, slug, contactEmail, limits, products, whitelabelConfig }
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
    /** Rules of `create` and `update`. */
    rules: (platform: PlatformScope, body: Fitting<TenantPatch>): FieldRule[] => [
      ...tenantRules(body),
      ruleFor(body.products, (slugs) => refuseUnknownProducts(platform, slugs, unknownProducts)),
    ],

    /** Refuses SLUG_TAKEN, UNKNOWN_PRODUCT, and VALIDATION_ERROR for an invalid e-mail address. */
    create: (platform: PlatformScope, input: NewTenant): Promise<Tenant> =>
      transaction(platform, async (tx) => {
        const tenant = await add(tx, input)
        if (tenant === null)
          // Without the slug: a stored refusal would outlive the erasure of the tenant that has it.
          throw new Refusal('SLUG_TAKEN', { detail: 'Another tenant already has this slug.' })
        return tenant
      }),

    get: async (platform: PlatformScope, id: string): Promise<Tenant> => {
      const tenant = await findTenant(platform, { id, now: clock.now() })
      if (tenant === null) throw notFound()
      return tenant
    },

    list: (platform: PlatformScope, search: Omit<TenantSearch, 'now'>): Promise<Page<Tenant>> =>
      listTenants(platform, { ...search, now: clock.now() }),

    /** A PATCH that changes nothing writes no audit entry. Refuses UNKNOWN_PRODUCT, and STATE_CONFLICT for suspending the built-in tenant. */
    update: (platform: PlatformScope, id: string, patch: TenantPatch): Promise<Tenant> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const before = await lockTenant(tx, { id, now })
        await refuseUnknownProducts(tx, patch.products ?? [], unknownProducts)
        const keyProducts = patch.products === null ? await productsOfKeys(tx, id) : []
        const after = { ...applyPatch(before, patch, keyProducts), updatedAt: now }
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

function newTenant(input: NewTenant, now: Date): Tenant {
  const { name, slug, contactEmail, limits, products = null, whitelabelConfig } = input
  return {
    id: newId(now),
    name: name.trim(),
    slug,
    contactEmail: parseEmail(contactEmail, '/body/contactEmail'),
    status: 'ACTIVE',
    limits: limits ?? {},
    products: products === null ? [] : inOrder(products),
    areProductsChosen: products !== null,
    whitelabelConfig: completeWhitelabel(parseWhitelabel(whitelabelConfig ?? {})),
    keyPrefix: null,
    createdAt: now,
    updatedAt: now,
  }
}
