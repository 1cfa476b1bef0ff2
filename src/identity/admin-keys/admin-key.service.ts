import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import type { KeyStatus } from '../keys/key.rules.ts'
import { overlapEnd, refuseRotation } from '../keys/key-rotation.rules.ts'
import { type AdminKey, adminKeyFormat } from './admin-key.rules.ts'
import type { NewAdminKey } from './admin-key.schema.ts'
import {
  addAdminKey,
  findAdminKey,
  findAdminSuccessorId,
  listAdminKeys,
  lockAdminKey,
  renameAdminKey,
  revokeAdminKey,
  setAdminKeyExpiry,
} from './admin-key.store.ts'

export type AdminKeys = ReturnType<typeof adminKeyService>

/** A new key with its text, which is shown once. */
export type CreatedAdminKey = AdminKey & { key: string }

/** Named keys of administrators. The key from the environment is not one of them and always works, so nobody can lock everybody out. */
export function adminKeyService({ clock, audit }: { clock: Clock; audit: Audit }) {
  const record = (tx: PlatformScope, verb: string, id: string, changes: Record<string, unknown>) =>
    audit(tx, { action: `adminKey.${verb}`, target: { type: 'adminKey', id }, changes })

  return {
    /** Refuses VALIDATION_ERROR for an `expiresAt` in the past. */
    create: (platform: PlatformScope, input: NewAdminKey): Promise<CreatedAdminKey> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const { role } = input
        const name = input.name.trim()
        const expiresAt = input.expiresAt ? parseFutureTimestamp(input.expiresAt, now, '/body/expiresAt') : null
        const adminKey = await insertKey(tx, { name, role, expiresAt, rotatedFromId: null, now })
        await record(tx, 'create', adminKey.id, { name, role, keyPrefix: adminKey.keyPrefix, expiresAt })
        return adminKey
      }),

    get: async (platform: PlatformScope, id: string): Promise<AdminKey> => requireKey(await findAdminKey(platform, id)),

    list: (platform: PlatformScope, query: PageRequest & { status: KeyStatus | null }): Promise<Page<AdminKey>> =>
      listAdminKeys(platform, { ...query, now: clock.now() }),

    rename: (platform: PlatformScope, id: string, input: { name?: string }): Promise<AdminKey> =>
      transaction(platform, async (tx) => {
        const before = requireKey(await lockAdminKey(tx, id))
        const name = input.name?.trim() ?? before.name
        if (name === before.name) return before
        await renameAdminKey(tx, id, name)
        await record(tx, 'update', id, { name: { from: before.name, to: name } })
        return { ...before, name }
      }),

    /** Refuses NOT_FOUND also for a key that is already revoked. */
    revoke: (platform: PlatformScope, id: string): Promise<void> =>
      transaction(platform, async (tx) => {
        const { name, role, keyPrefix } = requireKey(await revokeAdminKey(tx, id, clock.now()))
        await record(tx, 'revoke', id, { name, role, keyPrefix })
      }),

    /** Follows the rules of a tenant's key. Refuses KEY_NOT_ACTIVE, and STATE_CONFLICT for a key that was rotated before. */
    rotate: (platform: PlatformScope, id: string, overlapSeconds: number): Promise<CreatedAdminKey> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const old = requireKey(await lockAdminKey(tx, id))
        refuseRotation(old, { successorId: await findAdminSuccessorId(tx, id), now })
        const { name, role, expiresAt } = old
        const adminKey = await insertKey(tx, { name, role, expiresAt, rotatedFromId: id, now })
        const endsAt = overlapEnd(old, overlapSeconds, now)
        await setAdminKeyExpiry(tx, id, endsAt)
        const { keyPrefix } = adminKey
        await record(tx, 'rotate', id, {
          successorId: adminKey.id,
          keyPrefix,
          expiresAt: { from: expiresAt, to: endsAt },
        })
        return adminKey
      }),
  }
}

type AdminKeyDraft = Pick<AdminKey, 'name' | 'role' | 'expiresAt'> & { rotatedFromId: string | null; now: Date }

async function insertKey(tx: PlatformScope, { rotatedFromId, now, ...terms }: AdminKeyDraft): Promise<CreatedAdminKey> {
  const { key, keyPrefix, keyHash } = adminKeyFormat.create(randomBytes)
  const adminKey = { id: newId(now), ...terms, keyPrefix, lastUsedAt: null, createdAt: now, revokedAt: null }
  await addAdminKey(tx, { ...adminKey, keyHash, rotatedFromId })
  return { ...adminKey, key }
}

function requireKey(key: AdminKey | null): AdminKey {
  if (key === null) throw notFound()
  return key
}
