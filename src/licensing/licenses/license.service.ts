import type { Audit, UnknownProducts } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { isId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import type { EventBus } from '../../storage/events.ts'
import type { LastUsedBuffer } from '../../storage/last-used-buffer.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import { applyTermChanges, grantedUses, type License, remainingUses, type Terms } from './license.rules.ts'
import type { LicenseChanges, NewLicense } from './license.schema.ts'
import {
  getLicense,
  type LicenseFilter,
  type LicenseRef,
  listLicenses,
  lockLicense,
  revokeLicense,
  updateTerms,
} from './license.store.ts'
import type { IssueLicense } from './license-issuing.ts'
import { parseLicenseKey } from './license-key.rules.ts'

export type LicenseDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  issue: IssueLicense
  unknownProducts: UnknownProducts
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  /** Times of last validation are buffered; they are written before an administrator reads licenses. */
  validated: LastUsedBuffer
}

export type LicenseService = ReturnType<typeof licenseService>

/** What an administrator can do with licenses, by id or key. A malformed or unknown one is refused with NOT_FOUND everywhere. */
export function licenseService(deps: LicenseDeps) {
  const { clock, validated } = deps
  return {
    /** Rules of `create` and `update`. */
    rules: (platform: PlatformScope, body: Fitting<NewLicense>): FieldRule[] => [
      ruleFor(body.expiresAt, (text) => parseExpiry(text, clock.now())),
      ruleFor(body.tenantId, (tenantId) => refuseUnknownTenant(platform, tenantId, deps)),
      ruleFor(body.product, (product) => refuseUnknownProduct(platform, product, deps)),
    ],
    /** Refuses an unknown product, an unknown tenant, and an `expiresAt` in the past. */
    create: (platform: PlatformScope, body: NewLicense) => transaction(platform, (tx) => create(tx, body, deps)),
    get: async (platform: PlatformScope, idOrKey: string): Promise<License> => {
      await validated.flush()
      return getLicense(platform, requireRef(idOrKey))
    },
    list: async (platform: PlatformScope, filter: LicenseFilter, page: PageRequest): Promise<Page<License>> => {
      await validated.flush()
      return listLicenses(platform, { filter, page, now: clock.now() })
    },
    update: (platform: PlatformScope, idOrKey: string, body: LicenseChanges) =>
      transaction(platform, (tx) => update(tx, { idOrKey, body }, deps)),
    /** Permanent, from any state. A second time changes nothing. */
    revoke: (platform: PlatformScope, idOrKey: string) => transaction(platform, (tx) => revoke(tx, idOrKey, deps)),
  }
}

async function create(tx: PlatformScope, body: NewLicense, deps: LicenseDeps): Promise<License> {
  const { clock, issue } = deps
  const now = clock.now()
  const { tenantId, product, plan } = body
  const expiresAt = parseExpiry(body.expiresAt ?? null, now)
  await refuseUnknownTenant(tx, tenantId, deps)
  await refuseUnknownProduct(tx, product, deps)
  const maxUses = grantedUses(plan, body.maxUses ?? null)
  const terms = { plan, maxUses, expiresAt, label: parseLabel(body.label ?? null) }
  const license = await issue(scopeToTenant(tx, tenantId), { ...terms, product, isAutomatic: false, now })
  if (license === null) throw new Error('Only an automatic trial can already exist.')
  return license
}

async function refuseUnknownTenant(platform: PlatformScope, tenantId: string, { tenantExists }: LicenseDeps) {
  if (!(await tenantExists(platform, tenantId)))
    throw invalidField('/body/tenantId', { code: 'unknown', message: 'is not a tenant' })
}

async function refuseUnknownProduct(platform: PlatformScope, product: string, { unknownProducts }: LicenseDeps) {
  if ((await unknownProducts(platform, [product])).length > 0)
    throw invalidField('/body/product', {
      code: 'unknown',
      message: 'is not in the catalog',
      refusal: 'UNKNOWN_PRODUCT',
    })
}

type Change = { idOrKey: string; body: LicenseChanges }

async function update(
  tx: PlatformScope,
  { idOrKey, body }: Change,
  { clock, audit, events }: LicenseDeps,
): Promise<License> {
  const now = clock.now()
  const license = await lockLicense(tx, requireRef(idOrKey))
  const terms = applyTermChanges(currentTerms(license), parseChanges(body, now))
  const changes = changedTerms(currentTerms(license), terms)
  if (Object.keys(changes).length === 0) return license
  const tenantTx = scopeToTenant(tx, license.tenantId)
  await audit(tenantTx, { action: 'license.update', target: { type: 'license', id: license.id }, changes })
  const updated = await updateTerms(tenantTx, { id: license.id, terms, now })
  if (Object.hasOwn(changes, 'expiresAt'))
    await events.emit(tenantTx, 'license.term-changed', { tenantId: license.tenantId, licenseId: license.id })
  const isUsedUp = (it: License) => remainingUses(it) === 0
  // No event for a revoked license: its uses no longer matter.
  if (isUsedUp(updated) && !isUsedUp(license) && updated.revokedAt === null)
    await events.emit(tenantTx, 'license.exhausted', { tenantId: license.tenantId, licenseId: license.id })
  return updated
}

async function revoke(tx: PlatformScope, idOrKey: string, { clock, audit, events }: LicenseDeps): Promise<License> {
  const ref = requireRef(idOrKey)
  const license = await revokeLicense(tx, ref, clock.now())
  if (license === null) return getLicense(tx, ref)
  const { id, tenantId, keyHint } = license
  await audit(scopeToTenant(tx, tenantId), {
    action: 'license.revoke',
    target: { type: 'license', id },
    changes: { keyHint },
  })
  await events.emit(tx, 'license.revoked', { tenantId, licenseId: id })
  return license
}

/** No key looks like an id: every key begins with ATR. */
export function licenseRef(idOrKey: string): LicenseRef | null {
  if (isId(idOrKey)) return { id: idOrKey }
  const key = parseLicenseKey(idOrKey)
  return key === null ? null : { keyHash: key.hash }
}

function requireRef(idOrKey: string): LicenseRef {
  const ref = licenseRef(idOrKey)
  if (ref === null) throw notFound()
  return ref
}

function currentTerms({ plan, maxUses, expiresAt, label }: License): Terms {
  return { plan, maxUses, expiresAt, label }
}

/** Absent members stay absent. */
function parseChanges({ expiresAt, label, ...rest }: LicenseChanges, now: Date): Partial<Terms> {
  return {
    ...rest,
    ...(expiresAt === undefined ? {} : { expiresAt: parseExpiry(expiresAt, now) }),
    ...(label === undefined ? {} : { label: parseLabel(label) }),
  }
}

function parseExpiry(text: string | null, now: Date): Date | null {
  return text === null ? null : parseFutureTimestamp(text, now, '/body/expiresAt')
}

function parseLabel(text: string | null): string | null {
  return text?.trim() || null
}

/** The changed terms, for the audit log. */
function changedTerms(before: Terms, after: Terms): Record<string, unknown> {
  const names = ['plan', 'maxUses', 'expiresAt', 'label'] as const
  const changed = names.filter((name) => before[name]?.valueOf() !== after[name]?.valueOf())
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}
