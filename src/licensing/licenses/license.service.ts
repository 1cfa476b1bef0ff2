import type { Audit, UnknownProducts } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { type Fault, notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, tenantOf, transaction } from '../../storage/scope.ts'
import type { Stamps } from '../../storage/stamps.ts'
import type { Issue } from './issue.ts'
import { grantedUses, type License, revised, type Terms } from './license.rules.ts'
import type { LicenseChanges, NewLicense } from './license.schema.ts'
import {
  getLicense,
  type LicenseFilter,
  listLicenses,
  lockLicense,
  revokeLicense,
  updateTerms,
} from './license.store.ts'
import { readLicenseKey } from './license-key.rules.ts'

export type LicenseParts = {
  clock: Clock
  events: EventBus
  audit: Audit
  issue: Issue
  unknownProducts: UnknownProducts
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  /** When licenses were last validated is written late; an administrator who looks sees it at once. */
  validated: Stamps
}

export type LicenseService = ReturnType<typeof licenseService>

/** What an administrator does with licenses. A key that is malformed or unknown is refused with NOT_FOUND everywhere. */
export function licenseService({
  clock,
  events,
  audit,
  issue,
  unknownProducts,
  tenantExists,
  validated,
}: LicenseParts) {
  const create = (platform: PlatformScope, body: NewLicense): Promise<License> =>
    transaction(platform, async (tx) => {
      const now = clock.now()
      const { tenantId, product, plan } = body
      const expiresAt = readExpiry(body.expiresAt ?? null, now)
      if (!isId(tenantId) || !(await tenantExists(tx, tenantId)))
        throw invalid({ path: '/body/tenantId', code: 'unknown', message: 'is not a tenant' })
      if ((await unknownProducts(tx, [product])).length > 0) throw unknownProduct()
      const maxUses = grantedUses(plan, body.maxUses ?? null)
      const label = readLabel(body.label ?? null)
      const license = await issue(tenantOf(tx, tenantId), {
        product,
        plan,
        maxUses,
        expiresAt,
        label,
        isAutomatic: false,
        now,
      })
      if (license === null) throw new Error('Only automatic trials can exist already.')
      return license
    })

  const get = async (platform: PlatformScope, key: string): Promise<License> => {
    await validated.flush()
    return getLicense(platform, hashOf(key))
  }

  const list = async (platform: PlatformScope, filter: LicenseFilter, page: PageRequest): Promise<Page<License>> => {
    await validated.flush()
    return listLicenses(platform, { filter, page, now: clock.now() })
  }

  const update = (platform: PlatformScope, key: string, body: LicenseChanges): Promise<License> =>
    transaction(platform, async (tx) => {
      const now = clock.now()
      const license = await lockLicense(tx, hashOf(key))
      const terms = revised(termsOf(license), readChanges(body, now))
      const changes = differences(termsOf(license), terms)
      if (Object.keys(changes).length === 0) return license
      const own = tenantOf(tx, license.tenantId)
      await audit(own, { action: 'license.update', target: { type: 'license', id: license.id }, changes })
      return updateTerms(own, { id: license.id, terms, now })
    })

  const revoke = (platform: PlatformScope, key: string): Promise<License> =>
    transaction(platform, async (tx) => {
      const keyHash = hashOf(key)
      const license = await revokeLicense(tx, keyHash, clock.now())
      if (license === null) return getLicense(tx, keyHash)
      const { id, tenantId, keyHint } = license
      await audit(tenantOf(tx, tenantId), {
        action: 'license.revoke',
        target: { type: 'license', id },
        changes: { keyHint },
      })
      await events.emit(tx, 'license.revoked', { tenantId, licenseId: id })
      return license
    })

  return { create, get, list, update, revoke }
}

function hashOf(key: string): Buffer {
  const read = readLicenseKey(key)
  if (read === null) throw notFound()
  return read.hash
}

function termsOf({ plan, maxUses, expiresAt, label }: License): Terms {
  return { plan, maxUses, expiresAt, label }
}

/** Absent stays absent. */
function readChanges({ expiresAt, label, ...rest }: LicenseChanges, now: Date): Partial<Terms> {
  return {
    ...rest,
    ...(expiresAt === undefined ? {} : { expiresAt: readExpiry(expiresAt, now) }),
    ...(label === undefined ? {} : { label: readLabel(label) }),
  }
}

function readExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const at = new Date(text)
  // Not a number: a leap second, which RFC 3339 has and Date has not.
  if (Number.isNaN(at.getTime()))
    throw invalid({ path: '/body/expiresAt', code: 'format', message: 'must be a time without a leap second' })
  if (at <= now) throw invalid({ path: '/body/expiresAt', code: 'past', message: 'must be in the future' })
  return at
}

function readLabel(text: string | null): string | null {
  return text?.trim() || null
}

/** The terms that differ, for the audit log. */
function differences(before: Terms, after: Terms): Record<string, unknown> {
  const names = ['plan', 'maxUses', 'expiresAt', 'label'] as const
  const changed = names.filter((name) => before[name]?.valueOf() !== after[name]?.valueOf())
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]))
}

function invalid(fault: Fault): Refusal {
  return new Refusal('VALIDATION_ERROR', { detail: `${fault.path} ${fault.message}.`, errors: [fault] })
}

function unknownProduct(): Refusal {
  const fault = { path: '/body/product', code: 'unknown', message: 'is not in the catalog' }
  return new Refusal('UNKNOWN_PRODUCT', { detail: `${fault.path} ${fault.message}.`, errors: [fault] })
}
