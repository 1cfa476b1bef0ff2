import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { License, Terms } from './license.rules.ts'
import { insertLicense } from './license.store.ts'
import { newLicenseKey, parseLicenseKey } from './license-key.rules.ts'

export type NewTerms = Terms & { product: string; isAutomatic: boolean; now: Date }

export type IssueLicense = (tx: TenantScope, terms: NewTerms) => Promise<License | null>

const hintLength = 5

/** Binds an encrypted license key to its row. */
function sealContext({ tenantId, id }: Pick<License, 'tenantId' | 'id'>): string {
  return `licenses:${tenantId}:${id}`
}

export const sealedLicenseKeys: SealedColumn = {
  table: 'licenses',
  column: 'key_sealed',
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => sealContext({ tenantId, id }),
}

/** Decrypts the key of a license. */
export function openLicenseKey(license: License, secrets: Secrets): string {
  return openSealedKey(license.keySealed, license, secrets)
}

export function openSealedKey(sealed: Buffer, row: Pick<License, 'tenantId' | 'id'>, secrets: Secrets): string {
  return secrets.open(sealed, sealContext(row))
}

type Parts = { secrets: Secrets; audit: Audit; events: EventBus }

/** Issues licenses with new keys. Returns null only for an automatic trial that the tenant already has. */
export function licenseIssuer({ secrets, audit, events }: Parts): IssueLicense {
  return async (tx, { now, ...terms }) => {
    const id = newId(now)
    const key = newLicenseKey(randomBytes)
    const keyHash = parseLicenseKey(key)?.hash
    if (keyHash === undefined) throw new Error('A new license key has an invalid format.')
    const keySealed = secrets.seal(key, sealContext({ tenantId: tx.tenantId, id }))
    const keyHint = key.slice(-hintLength)
    const license = await insertLicense(tx, { ...terms, id, keyHash, keySealed, keyHint, createdAt: now })
    if (license === null) return null
    const { product, plan, maxUses, expiresAt, label } = license
    await audit(tx, {
      action: 'license.create',
      target: { type: 'license', id },
      changes: { product, plan, maxUses, expiresAt, label, keyHint },
    })
    await events.emit(tx, 'license.issued', { tenantId: tx.tenantId, licenseId: id, product })
    return license
  }
}
