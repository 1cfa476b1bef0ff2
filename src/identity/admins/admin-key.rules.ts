import { timingSafeEqual } from 'node:crypto'
import type { AdminRole } from '../../http/access/access.ts'
import type { AdminCaller } from '../../http/access/callers.ts'
import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../../kernel/checksum.ts'

export const adminRoles = ['OWNER', 'EDITOR', 'VIEWER'] as const satisfies readonly AdminRole[]

/** A named key of an administrator. Its status is that of a tenant's key, by the same rules. */
export type AdminKey = {
  id: string
  name: string
  role: AdminRole
  /** The start of the key, by which a person recognises it. */
  keyPrefix: string
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  revokedAt: Date | null
}

const prefix = 'atradm_'
/** 178 bits, as in a tenant's key. */
const randomLength = 30
const shownLength = 4
const form = /^atradm_[0-9A-Za-z]{36}$/

/** A new key and what is stored of it. The key itself is shown once and kept nowhere. */
export function newAdminKey(random: RandomBytes): { key: string; keyPrefix: string; keyHash: Buffer } {
  const key = withBase62Check(prefix + randomBase62(randomLength, random))
  return { key, keyPrefix: key.slice(0, prefix.length + shownLength), keyHash: sha256Digest(key) }
}

/** The stored hash (SHA-256) of what was sent as a named key; null for what none can be, without a look-up. */
export function hashAdminKey(text: string): Buffer | null {
  return form.test(text) && hasBase62Check(text) ? sha256Digest(text) : null
}

/**
 * Who the key of the environment stands for; null when a text is not that key. Hashes are compared, because they have
 * one length whatever was sent, and in constant time, so that an answer's delay tells nothing about the key.
 */
export function adminKeyCheck(adminKey: string): (text: string) => AdminCaller | null {
  const known = sha256Digest(adminKey)
  return (text) => (timingSafeEqual(sha256Digest(text), known) ? { id: null, label: 'admin key', role: 'OWNER' } : null)
}
