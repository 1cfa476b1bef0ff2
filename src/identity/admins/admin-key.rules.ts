import { timingSafeEqual } from 'node:crypto'
import type { AdminRole } from '../../http/access/access.ts'
import type { AdminCaller } from '../../http/access/callers.ts'
import { sha256Digest } from '../../kernel/checksum.ts'
import { type KeyLifecycle, keyFormat } from '../keys/key.rules.ts'

export const adminRoles = ['OWNER', 'EDITOR', 'VIEWER'] as const satisfies readonly AdminRole[]

/** A named key of an administrator. */
export type AdminKey = KeyLifecycle & { id: string; name: string; role: AdminRole }

export const adminKeyFormat = keyFormat('atradm_')

/**
 * Checks a text against the admin key of the environment; null if it is another text. Compares hashes in constant time:
 * hashes have the same length for every input, so the response time reveals nothing about the key.
 */
export function adminKeyCheck(adminKey: string): (text: string) => AdminCaller | null {
  const expected = sha256Digest(adminKey)
  return (text) =>
    timingSafeEqual(sha256Digest(text), expected) ? { id: null, label: 'admin key', role: 'OWNER' } : null
}
