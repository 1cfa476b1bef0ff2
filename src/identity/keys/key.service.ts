import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { type DefaultLimits, effectiveLimits, refuseOverQuota } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { addProductsOfKey, lockTenant, tenantExists } from '../tenants/tenant.store.ts'
import { type FindUnknownProducts, refuseUnknownProducts } from '../unknown-products.ts'
import { type ApiKey, apiKeyFormat, type KeyStatus } from './key.rules.ts'
import type { NewKey } from './key.schema.ts'
import {
  addKey,
  countActiveKeys,
  findKey,
  findSuccessorId,
  listKeys,
  lockKey,
  revokeKey,
  setKeyExpiry,
} from './key.store.ts'
import type { KeyCallerCache } from './key-caller-cache.ts'
import type { KeyLastUsedBuffer } from './key-last-used.ts'
import { overlapEnd, refuseInactive, refuseInUse, refuseRotation } from './key-rotation.rules.ts'

export type KeyDeps = {
  clock: Clock
  audit: Audit
  defaultLimits: DefaultLimits
  keyCallers: KeyCallerCache
  lastUsed: KeyLastUsedBuffer
  unknownProducts: FindUnknownProducts
}
export type Keys = ReturnType<typeof keyService>

/** A new key with its text, which is shown once. */
export type CreatedKey = ApiKey & { key: string }

export type KeyRef = { tenantId: string; keyId: string }

export function keyService({ clock, audit, defaultLimits, keyCallers, lastUsed, unknownProducts }: KeyDeps) {
  return {
    /** Rules of `create`. */
    rules: (platform: PlatformScope, { products, expiresAt }: Fitting<NewKey>): FieldRule[] => [
      ruleFor(expiresAt, (text) => parseFutureTimestamp(text, clock.now(), '/body/expiresAt')),
      ruleFor(products, (slugs) => refuseUnknownProducts(platform, slugs, unknownProducts)),
    ],

    /** Refuses UNKNOWN_PRODUCT, QUOTA_EXCEEDED, and VALIDATION_ERROR for an `expiresAt` in the past. */
    create: (platform: PlatformScope, tenantId: string, input: NewKey): Promise<CreatedKey> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const { limits } = await lockTenant(tx, { id: tenantId, now })
        const scope = scopeToTenant(tx, tenantId)
        const { name, products } = input
        const expiresAt = input.expiresAt ? parseFutureTimestamp(input.expiresAt, now, '/body/expiresAt') : null
        await refuseUnknownProducts(tx, products, unknownProducts)
        const { maxApiKeys } = effectiveLimits(limits, defaultLimits)
        if (maxApiKeys !== null) refuseOverQuota('maxApiKeys', maxApiKeys, await countActiveKeys(scope, now))
        const apiKey = await insertKey(scope, { name: name.trim(), products, expiresAt, rotatedFromId: null, now })
        await addProductsOfKey(scope, products)
        const { id, keyPrefix } = apiKey
        await audit(scope, {
          action: 'apiKey.create',
          target: { type: 'apiKey', id },
          changes: { name, products, keyPrefix, expiresAt },
        })
        return apiKey
      }),

    get: async (platform: PlatformScope, { tenantId, keyId }: KeyRef): Promise<ApiKey> =>
      requireKey(await findKey(scopeToTenant(platform, tenantId), keyId)),

    list: async (
      platform: PlatformScope,
      tenantId: string,
      query: PageRequest & { status: KeyStatus | null },
    ): Promise<Page<ApiKey>> => {
      if (!(await tenantExists(platform, tenantId))) throw notFound()
      return listKeys(scopeToTenant(platform, tenantId), { ...query, now: clock.now() })
    },

    /** Refuses NOT_FOUND also for a key that is already revoked. */
    revoke: (platform: PlatformScope, { tenantId, keyId }: KeyRef): Promise<void> =>
      transaction(scopeToTenant(platform, tenantId), async (tx) => {
        const { name, keyPrefix } = requireKey(await revokeKey(tx, { id: keyId, now: clock.now() }))
        tx.handle.afterCommit(keyCallers.forget)
        await audit(tx, {
          action: 'apiKey.revoke',
          target: { type: 'apiKey', id: keyId },
          changes: { name, keyPrefix },
        })
      }),

    /**
     * Creates a key with the name, products and expiry of the old one, which ends after the overlap. `maxApiKeys` is not
     * checked, because the new key replaces the old one. Refuses KEY_NOT_ACTIVE, and STATE_CONFLICT for a key that was
     * rotated before.
     */
    rotate: (platform: PlatformScope, { tenantId, keyId }: KeyRef, overlapSeconds: number): Promise<CreatedKey> =>
      transaction(platform, async (platformTx) => {
        const now = clock.now()
        // Lock the tenant before the key, in the same order as removing a tenant does.
        await lockTenant(platformTx, { id: tenantId, now })
        const tx = scopeToTenant(platformTx, tenantId)
        const old = requireKey(await lockKey(tx, keyId))
        refuseRotation(old, { successorId: await findSuccessorId(tx, keyId), now })
        const { name, products, expiresAt } = old
        const apiKey = await insertKey(tx, { name, products, expiresAt, rotatedFromId: keyId, now })
        const endsAt = overlapEnd(old, overlapSeconds, now)
        await setKeyExpiry(tx, { id: keyId, expiresAt: endsAt })
        tx.handle.afterCommit(keyCallers.forget)
        const changes = {
          successorId: apiKey.id,
          keyPrefix: apiKey.keyPrefix,
          expiresAt: { from: expiresAt, to: endsAt },
        }
        await audit(tx, { action: 'apiKey.rotate', target: { type: 'apiKey', id: keyId }, changes })
        return apiKey
      }),

    /**
     * Revokes the old key of a rotation before the overlap ends. Refuses KEY_NOT_ACTIVE, and STATE_CONFLICT for a key
     * without a successor or, unless forced, for a key that is still in use.
     */
    finishRotation: async (platform: PlatformScope, { tenantId, keyId }: KeyRef, force: boolean): Promise<ApiKey> => {
      // Times of last use are written with a delay of up to a second, and per key at most once a minute.
      await lastUsed.flush()
      return transaction(scopeToTenant(platform, tenantId), async (tx) => {
        const now = clock.now()
        const old = requireKey(await lockKey(tx, keyId))
        refuseInactive(old, now)
        const successorId = await findSuccessorId(tx, keyId)
        if (successorId === null)
          throw new Refusal('STATE_CONFLICT', { detail: 'The key has not been rotated, so no other key replaces it.' })
        if (!force) refuseInUse(old, now)
        const ended = requireKey(await revokeKey(tx, { id: keyId, now }))
        tx.handle.afterCommit(keyCallers.forget)
        const changes = { successorId, keyPrefix: old.keyPrefix, lastUsedAt: old.lastUsedAt, force }
        await audit(tx, { action: 'apiKey.finish_rotation', target: { type: 'apiKey', id: keyId }, changes })
        return ended
      })
    },
  }
}

type KeyDraft = Pick<ApiKey, 'name' | 'products' | 'expiresAt'> & { rotatedFromId: string | null; now: Date }

async function insertKey(
  tx: TenantScope,
  { name, products, expiresAt, rotatedFromId, now }: KeyDraft,
): Promise<CreatedKey> {
  const { key, keyPrefix, keyHash } = apiKeyFormat.create(randomBytes)
  const { tenantId } = tx
  const apiKey: ApiKey = {
    id: newId(now),
    tenantId,
    name,
    products,
    keyPrefix,
    expiresAt,
    lastUsedAt: null,
    createdAt: now,
    revokedAt: null,
  }
  await addKey(tx, { ...apiKey, keyHash, rotatedFromId })
  return { ...apiKey, key }
}

function requireKey(key: ApiKey | null): ApiKey {
  if (key === null) throw notFound()
  return key
}
