import { completeLimits, type Limits } from '../../kernel/quota.ts'
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
  limits: Limits
  /** Null when nothing of it is set. */
  whitelabelConfig: WhitelabelConfig | null
  /** Of its newest active key. */
  keyPrefix: string | null
  createdAt: Date
  updatedAt: Date
}

/** An absent member is kept, null clears one. */
export type TenantPatch = {
  name?: string
  contactEmail?: string
  status?: TenantStatus
  limits?: Partial<Limits> | null
  whitelabelConfig?: Partial<WhitelabelConfig> | null
}

/** Serves the users who come without an API key. */
export const builtInSlug = 'platform'

/** Every member, null for those that are not set; null when none is. */
export function completeWhitelabel(some: Partial<WhitelabelConfig> | null): WhitelabelConfig | null {
  const entries = whitelabelNames.map((name) => [name, some?.[name] ?? null] as const)
  return entries.some(([, value]) => value !== null) ? (Object.fromEntries(entries) as WhitelabelConfig) : null
}

/** The members as they are stored. Refuses VALIDATION_ERROR for a bad e-mail address. */
export function parseWhitelabel(sent: Partial<WhitelabelConfig>): Partial<WhitelabelConfig> {
  const { supportEmail } = sent
  if (supportEmail === undefined || supportEmail === null) return sent
  return { ...sent, supportEmail: parseEmail(supportEmail, '/body/whitelabelConfig/supportEmail') }
}

/** The tenant as a PATCH leaves it. Refuses VALIDATION_ERROR, and STATE_CONFLICT for suspending the built-in tenant. */
export function applyPatch(tenant: Tenant, patch: TenantPatch): Tenant {
  const { name, contactEmail, status = tenant.status, limits = {}, whitelabelConfig = {} } = patch
  if (status === 'SUSPENDED') refuseBuiltIn(tenant, 'suspended')
  return {
    ...tenant,
    name: name === undefined ? tenant.name : name.trim(),
    contactEmail: contactEmail === undefined ? tenant.contactEmail : parseEmail(contactEmail, '/body/contactEmail'),
    status,
    limits: completeLimits(limits && { ...tenant.limits, ...limits }),
    whitelabelConfig: completeWhitelabel(
      whitelabelConfig && { ...tenant.whitelabelConfig, ...parseWhitelabel(whitelabelConfig) },
    ),
  }
}

/** What differs, as `{member: {from, to}}`. */
export function changedMembers(before: Tenant, after: Tenant): Record<string, { from: unknown; to: unknown }> {
  const names = ['name', 'contactEmail', 'status', 'limits', 'whitelabelConfig'] as const
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

/** Refuses STATE_CONFLICT: without the built-in tenant, users without an API key could no longer come in. */
export function refuseBuiltIn(tenant: Pick<Tenant, 'slug'>, action: 'suspended' | 'deleted' | 'erased'): void {
  if (tenant.slug !== builtInSlug) return
  throw new Refusal('STATE_CONFLICT', { detail: `The built-in tenant ${builtInSlug} cannot be ${action}.` })
}

/** Refuses VALIDATION_ERROR unless the slug was repeated: nobody deletes a tenant by a slip of a list. */
export function refuseUnconfirmed(tenant: Pick<Tenant, 'slug'>, confirm: string): void {
  if (confirm !== tenant.slug)
    throw invalidField('/query/confirm', { code: 'const', message: "must be the tenant's slug" })
}

/** By which an administrator recognises a key without seeing it. */
export function maskedKeyPrefix(keyPrefix: string | null): string | null {
  return keyPrefix === null ? null : `${keyPrefix}...`
}
