import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import type { KeyStatus } from '../keys/key.rules.ts'
import { overlapEnd, refuseInactive } from '../keys/key-rotation.rules.ts'
import { type AdminKey, newAdminKey } from './admin-key.rules.ts'
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

/** A key just made, with the text that is shown once. */
export type CreatedAdminKey = AdminKey & { key: string }

/** Named keys of administrators. The key of the environment is none of them and always remains: nobody can lock out all. */
export function adminKeyService({ clock, audit }: { clock: Clock; audit: Audit }) {
  const record = (tx: PlatformScope, verb: string, id: string, changes: Record<string, unknown>) =>
    audit(tx, { action: `adminKey.${verb}`, target: { type: 'adminKey', id }, changes })

  return {
    /** Refuses VALIDATION_ERROR for an `expiresAt` that is past. */
    create: (platform: PlatformScope, sent: NewAdminKey): Promise<CreatedAdminKey> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const { role } = sent
        const name = sent.name.trim()
        const expiresAt = sent.expiresAt ? parseFutureTimestamp(sent.expiresAt, now, '/body/expiresAt') : null
        const made = await insertKey(tx, { name, role, expiresAt, rotatedFromId: null, now })
        await record(tx, 'create', made.id, { name, role, keyPrefix: made.keyPrefix, expiresAt })
        return made
      }),

    get: async (platform: PlatformScope, id: string): Promise<AdminKey> => requireKey(await findAdminKey(platform, id)),

    list: (platform: PlatformScope, ask: PageRequest & { status: KeyStatus | null }): Promise<Page<AdminKey>> =>
      listAdminKeys(platform, { ...ask, now: clock.now() }),

    rename: (platform: PlatformScope, id: string, sent: { name?: string }): Promise<AdminKey> =>
      transaction(platform, async (tx) => {
        const known = requireKey(await lockAdminKey(tx, id))
        const name = sent.name?.trim() ?? known.name
        if (name === known.name) return known
        await renameAdminKey(tx, id, name)
        await record(tx, 'update', id, { name: { from: known.name, to: name } })
        return { ...known, name }
      }),

    /** Refuses NOT_FOUND also for a key that is revoked already. */
    revoke: (platform: PlatformScope, id: string): Promise<void> =>
      transaction(platform, async (tx) => {
        const { name, role, keyPrefix } = requireKey(await revokeAdminKey(tx, id, clock.now()))
        await record(tx, 'revoke', id, { name, role, keyPrefix })
      }),

    /** By the rules of a tenant's key: refuses KEY_NOT_ACTIVE, and STATE_CONFLICT for a key rotated before. */
    rotate: (platform: PlatformScope, id: string, overlapSeconds: number): Promise<CreatedAdminKey> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const old = requireKey(await lockAdminKey(tx, id))
        refuseInactive(old, now)
        const successorId = await findAdminSuccessorId(tx, id)
        if (successorId !== null)
          throw new Refusal('STATE_CONFLICT', { detail: `The key was rotated into ${successorId}; rotate that one.` })
        const { name, role, expiresAt } = old
        const made = await insertKey(tx, { name, role, expiresAt, rotatedFromId: id, now })
        const endsAt = overlapEnd(old, overlapSeconds, now)
        await setAdminKeyExpiry(tx, id, endsAt)
        const { keyPrefix } = made
        await record(tx, 'rotate', id, { successorId: made.id, keyPrefix, expiresAt: { from: expiresAt, to: endsAt } })
        return made
      }),
  }
}

type AdminKeyDraft = Pick<AdminKey, 'name' | 'role' | 'expiresAt'> & { rotatedFromId: string | null; now: Date }

async function insertKey(tx: PlatformScope, { rotatedFromId, now, ...terms }: AdminKeyDraft): Promise<CreatedAdminKey> {
  const { key, keyPrefix, keyHash } = newAdminKey(randomBytes)
  const made = { id: newId(now), ...terms, keyPrefix, lastUsedAt: null, createdAt: now, revokedAt: null }
  await addAdminKey(tx, { ...made, keyHash, rotatedFromId })
  return { ...made, key }
}

function requireKey(key: AdminKey | null): AdminKey {
  if (key === null) throw notFound()
  return key
}
