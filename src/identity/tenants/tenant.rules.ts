import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import type { OwnLimits } from '../../kernel/quota.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { parseEmail } from '../users/email.rules.ts'

export const tenantStatuses = ['ACTIVE', 'SUSPENDED'] as const
export type TenantStatus = (typeof tenantStatuses)[number]

const whitelabelNames = [
  'displayName',
  'logoUrl',
  'faviconUrl',
  'primaryColor',
  'supportEmail',
  'supportUrl',
  'customDomain',
  'emailFromName',
] as const

export type WhitelabelConfig = Record<(typeof whitelabelNames)[number], string | null>

export type Tenant = {
  id: string
  name: string
  slug: string
  contactEmail: string
  status: TenantStatus
  limits: OwnLimits
  /** What the tenant's users may use, in the order of the alphabet. */
  products: string[]
  /** False: they are those of its keys, and a new key adds its own. */
  areProductsChosen: boolean
  /** Null if no member is set. */
  whitelabelConfig: WhitelabelConfig | null
  /** The start of its newest active key. */
  keyPrefix: string | null
  createdAt: Date
  updatedAt: Date
}

/** Absent members keep their value, null clears them. */
export type TenantPatch = {
  name?: string
  contactEmail?: string
  status?: TenantStatus
  limits?: OwnLimits | null
  products?: string[] | null
  whitelabelConfig?: Partial<WhitelabelConfig> | null
}

/** The tenant of the users who send no API key. */
export const builtInSlug = 'platform'

/** All members, null for those that are not set. The result is null if none is set. */
export function completeWhitelabel(some: Partial<WhitelabelConfig> | null): WhitelabelConfig | null {
  const entries = whitelabelNames.map((name) => [name, some?.[name] ?? null] as const)
  return entries.some(([, value]) => value !== null) ? (Object.fromEntries(entries) as WhitelabelConfig) : null
}

/** The members as they are stored. Refuses VALIDATION_ERROR for an invalid e-mail address. */
export function parseWhitelabel(input: Partial<WhitelabelConfig>): Partial<WhitelabelConfig> {
  const { supportEmail } = input
  if (supportEmail === undefined || supportEmail === null) return input
  return { ...input, supportEmail: parseEmail(supportEmail, '/body/whitelabelConfig/supportEmail') }
}

/** Rules of a new tenant and of a change. */
export function tenantRules({ contactEmail, whitelabelConfig }: Fitting<TenantPatch>): FieldRule[] {
  return [
    ruleFor(contactEmail, (email) => parseEmail(email, '/body/contactEmail')),
    ruleFor(whitelabelConfig, parseWhitelabel),
  ]
}

/**
 * The tenant after a PATCH. Refuses VALIDATION_ERROR, and STATE_CONFLICT for suspending the built-in tenant.
 * @param keyProducts the products of its keys, which hold if the chosen ones are cleared
 */
export function applyPatch(tenant: Tenant, patch: TenantPatch, keyProducts: string[] = []): Tenant {
  const { name, contactEmail, status = tenant.status, limits = {}, products, whitelabelConfig = {} } = patch
  if (status === 'SUSPENDED') refuseBuiltIn(tenant, 'suspended')
  return {
    ...tenant,
    name: name === undefined ? tenant.name : name.trim(),
    contactEmail: contactEmail === undefined ? tenant.contactEmail : parseEmail(contactEmail, '/body/contactEmail'),
    status,
    limits: limits === null ? {} : { ...tenant.limits, ...limits },
    products: products === undefined ? tenant.products : inOrder(products ?? keyProducts),
    areProductsChosen: products === undefined ? tenant.areProductsChosen : products !== null,
    whitelabelConfig: completeWhitelabel(
      whitelabelConfig && { ...tenant.whitelabelConfig, ...parseWhitelabel(whitelabelConfig) },
    ),
  }
}

/** Without repeats, in the order of the alphabet. */
export function inOrder(products: string[]): string[] {
  return [...new Set(products)].toSorted()
}

/** The changed members, as `{member: {from, to}}`. */
export function changedMembers(before: Tenant, after: Tenant): Record<string, { from: unknown; to: unknown }> {
  const names = [
    'name',
    'contactEmail',
    'status',
    'limits',
    'products',
    'areProductsChosen',
    'whitelabelConfig',
  ] as const
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

/** Refuses STATE_CONFLICT: users without an API key need the built-in tenant. */
export function refuseBuiltIn(tenant: Pick<Tenant, 'slug'>, action: 'suspended' | 'deleted' | 'erased'): void {
  if (tenant.slug !== builtInSlug) return
  throw new Refusal('STATE_CONFLICT', { detail: `The built-in tenant ${builtInSlug} cannot be ${action}.` })
}

/** Refuses VALIDATION_ERROR unless the slug was repeated, against deleting the wrong tenant by mistake. */
export function refuseUnconfirmed(tenant: Pick<Tenant, 'slug'>, confirm: string): void {
  if (confirm !== tenant.slug)
    throw invalidField('/query/confirm', { code: 'const', message: "must be the tenant's slug" })
}

/** The start of a key, by which administrators recognize it. */
export function maskedKeyPrefix(keyPrefix: string | null): string | null {
  return keyPrefix === null ? null : `${keyPrefix}...`
}
