import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, type Scope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { lockTenant, tenantExists } from '../tenants/tenant.store.ts'
import { type ApiKey, type KeyStatus, newApiKey } from './key.rules.ts'
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
import { overlapEnd, refuseInactive, refuseInUse } from './key-rotation.rules.ts'

/** Which of the slugs no product of the catalog has. */
export type FindUnknownProducts = (scope: Scope, slugs: string[]) => Promise<string[]>

export type KeyDeps = {
  clock: Clock
  audit: Audit
  keyCallers: KeyCallerCache
  stamps: KeyLastUsedBuffer
  unknownProducts: FindUnknownProducts
}
export type Keys = ReturnType<typeof keyService>

/** A key just made, with the text that is shown once. */
export type CreatedKey = ApiKey & { key: string }

export type KeyRef = { tenantId: string; keyId: string }

export function keyService({ clock, audit, keyCallers, stamps, unknownProducts }: KeyDeps) {
  const refuseUnknownProducts = async (tx: Scope, slugs: string[]): Promise<void> => {
    const unknown = await unknownProducts(tx, slugs)
    if (unknown.length > 0)
      throw new Refusal('UNKNOWN_PRODUCT', { detail: `Not in the catalog: ${unknown.join(', ')}.` })
  }

  return {
    /** Refuses UNKNOWN_PRODUCT, QUOTA_EXCEEDED, and VALIDATION_ERROR for an `expiresAt` that is past. */
    create: (platform: PlatformScope, tenantId: string, sent: NewKey): Promise<CreatedKey> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const { limits } = await lockTenant(tx, { id: tenantId, now })
        const scope = scopeToTenant(tx, tenantId)
        const { name, products } = sent
        const expiresAt = sent.expiresAt ? parseFutureTimestamp(sent.expiresAt, now, '/body/expiresAt') : null
        await refuseUnknownProducts(tx, products)
        if (limits.maxApiKeys !== null)
          refuseOverQuota('maxApiKeys', limits.maxApiKeys, await countActiveKeys(scope, now))
        const made = await insertKey(scope, { name: name.trim(), products, expiresAt, rotatedFromId: null, now })
        const { id, keyPrefix } = made
        await audit(scope, {
          action: 'apiKey.create',
          target: { type: 'apiKey', id },
          changes: { name, products, keyPrefix, expiresAt },
        })
        return made
      }),

    get: async (platform: PlatformScope, { tenantId, keyId }: KeyRef): Promise<ApiKey> =>
      requireKey(await findKey(scopeToTenant(platform, tenantId), keyId)),

    list: async (
      platform: PlatformScope,
      tenantId: string,
      ask: PageRequest & { status: KeyStatus | null },
    ): Promise<Page<ApiKey>> => {
      if (!(await tenantExists(platform, tenantId))) throw notFound()
      return listKeys(scopeToTenant(platform, tenantId), { ...ask, now: clock.now() })
    },

    /** Refuses NOT_FOUND also for a key that is revoked already. */
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
     * A new key with the name, products and expiry of the old one, which ends after the overlap. It takes no room of
     * `maxApiKeys`: one key becomes one key. Refuses KEY_NOT_ACTIVE, and STATE_CONFLICT for a key rotated before.
     */
    rotate: (platform: PlatformScope, { tenantId, keyId }: KeyRef, overlapSeconds: number): Promise<CreatedKey> =>
      transaction(platform, async (whole) => {
        const now = clock.now()
        // Before its key: whoever removes a tenant takes them in this order.
        await lockTenant(whole, { id: tenantId, now })
        const tx = scopeToTenant(whole, tenantId)
        const old = requireKey(await lockKey(tx, keyId))
        refuseInactive(old, now)
        const successorId = await findSuccessorId(tx, keyId)
        if (successorId !== null)
          throw new Refusal('STATE_CONFLICT', { detail: `The key was rotated into ${successorId}; rotate that one.` })
        const { name, products, expiresAt } = old
        const made = await insertKey(tx, { name, products, expiresAt, rotatedFromId: keyId, now })
        const endsAt = overlapEnd(old, overlapSeconds, now)
        await setKeyExpiry(tx, { id: keyId, expiresAt: endsAt })
        tx.handle.afterCommit(keyCallers.forget)
        const changes = { successorId: made.id, keyPrefix: made.keyPrefix, expiresAt: { from: expiresAt, to: endsAt } }
        await audit(tx, { action: 'apiKey.rotate', target: { type: 'apiKey', id: keyId }, changes })
        return made
      }),

    /**
     * Ends the old key of a rotation before its overlap does. Refuses KEY_NOT_ACTIVE; STATE_CONFLICT for a key that has
     * no successor and, unless forced, for one that is still in use.
     */
    finishRotation: async (platform: PlatformScope, { tenantId, keyId }: KeyRef, force: boolean): Promise<ApiKey> => {
      // Uses are written down a second late and at most once a minute a key: those of this node are to count.
      await stamps.flush()
      return transaction(scopeToTenant(platform, tenantId), async (tx) => {
        const now = clock.now()
        const old = requireKey(await lockKey(tx, keyId))
        refuseInactive(old, now)
        const successorId = await findSuccessorId(tx, keyId)
        if (successorId === null)
          throw new Refusal('STATE_CONFLICT', { detail: 'The key has not been rotated: nothing would take its place.' })
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
  const { key, keyPrefix, keyHash } = newApiKey(randomBytes)
  const { tenantId } = tx
  const made = {
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
  await addKey(tx, { ...made, keyHash, rotatedFromId })
  return { ...made, key }
}

function requireKey(key: ApiKey | null): ApiKey {
  if (key === null) throw notFound()
  return key
}
