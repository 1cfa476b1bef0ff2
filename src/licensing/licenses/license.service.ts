import type { Audit, UnknownProducts } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
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
  /** When licenses were last validated is written late; an administrator who looks sees it at once. */
  validated: LastUsedBuffer
}

export type LicenseService = ReturnType<typeof licenseService>

/** What an administrator does with licenses. A key that is malformed or unknown is refused with NOT_FOUND everywhere. */
export function licenseService(parts: LicenseDeps) {
  const { clock, validated } = parts
  return {
    /** Refuses an unknown product, an unknown tenant, and an `expiresAt` that is past. */
    create: (platform: PlatformScope, body: NewLicense) => transaction(platform, (tx) => create(tx, body, parts)),
    get: async (platform: PlatformScope, key: string): Promise<License> => {
      await validated.flush()
      return getLicense(platform, requireKeyHash(key))
    },
    list: async (platform: PlatformScope, filter: LicenseFilter, page: PageRequest): Promise<Page<License>> => {
      await validated.flush()
      return listLicenses(platform, { filter, page, now: clock.now() })
    },
    update: (platform: PlatformScope, key: string, body: LicenseChanges) =>
      transaction(platform, (tx) => update(tx, { key, body }, parts)),
    /** From any state and for good; a second time changes nothing. */
    revoke: (platform: PlatformScope, key: string) => transaction(platform, (tx) => revoke(tx, key, parts)),
  }
}

async function create(tx: PlatformScope, body: NewLicense, parts: LicenseDeps): Promise<License> {
  const { clock, issue, tenantExists, unknownProducts } = parts
  const now = clock.now()
  const { tenantId, product, plan } = body
  const expiresAt = parseExpiry(body.expiresAt ?? null, now)
  if (!(await tenantExists(tx, tenantId)))
    throw invalidField('/body/tenantId', { code: 'unknown', message: 'is no tenant' })
  if ((await unknownProducts(tx, [product])).length > 0) {
    throw invalidField('/body/product', {
      code: 'unknown',
      message: 'is not in the catalog',
      refusal: 'UNKNOWN_PRODUCT',
    })
  }
  const maxUses = grantedUses(plan, body.maxUses ?? null)
  const terms = { plan, maxUses, expiresAt, label: parseLabel(body.label ?? null) }
  const license = await issue(scopeToTenant(tx, tenantId), { ...terms, product, isAutomatic: false, now })
  if (license === null) throw new Error('Only automatic trials can exist already.')
  return license
}

type Change = { key: string; body: LicenseChanges }

async function update(
  tx: PlatformScope,
  { key, body }: Change,
  { clock, audit, events }: LicenseDeps,
): Promise<License> {
  const now = clock.now()
  const license = await lockLicense(tx, requireKeyHash(key))
  const terms = applyTermChanges(currentTerms(license), parseChanges(body, now))
  const changes = changedTerms(currentTerms(license), terms)
  if (Object.keys(changes).length === 0) return license
  const own = scopeToTenant(tx, license.tenantId)
  await audit(own, { action: 'license.update', target: { type: 'license', id: license.id }, changes })
  const updated = await updateTerms(own, { id: license.id, terms, now })
  if (Object.hasOwn(changes, 'expiresAt'))
    await events.emit(own, 'license.term-changed', { tenantId: license.tenantId, licenseId: license.id })
  const isUsedUp = (one: License) => remainingUses(one) === 0
  // The uses of a license that is revoked are nobody's any more.
  if (isUsedUp(updated) && !isUsedUp(license) && updated.revokedAt === null)
    await events.emit(own, 'license.exhausted', { tenantId: license.tenantId, licenseId: license.id })
  return updated
}

async function revoke(tx: PlatformScope, key: string, { clock, audit, events }: LicenseDeps): Promise<License> {
  const keyHash = requireKeyHash(key)
  const license = await revokeLicense(tx, keyHash, clock.now())
  if (license === null) return getLicense(tx, keyHash)
  const { id, tenantId, keyHint } = license
  await audit(scopeToTenant(tx, tenantId), {
    action: 'license.revoke',
    target: { type: 'license', id },
    changes: { keyHint },
  })
  await events.emit(tx, 'license.revoked', { tenantId, licenseId: id })
  return license
}

function requireKeyHash(key: string): Buffer {
  const read = parseLicenseKey(key)
  if (read === null) throw notFound()
  return read.hash
}

function currentTerms({ plan, maxUses, expiresAt, label }: License): Terms {
  return { plan, maxUses, expiresAt, label }
}

/** Absent stays absent. */
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

/** The terms that differ, for the audit log. */
function changedTerms(before: Terms, after: Terms): Record<string, unknown> {
  const names = ['plan', 'maxUses', 'expiresAt', 'label'] as const
  const changed = names.filter((name) => before[name]?.valueOf() !== after[name]?.valueOf())
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}
