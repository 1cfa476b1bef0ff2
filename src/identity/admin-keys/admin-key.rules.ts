import { timingSafeEqual } from 'node:crypto'
import type { AdminRole } from '../../http/access/access.ts'
import type { AdminCaller } from '../../http/access/callers.ts'
import { sha256Digest } from '../../kernel/checksum.ts'
import { estimateEntropyBits, guessableBelowBits } from '../../kernel/entropy.ts'
import { type KeyLifecycle, keyFormat } from '../keys/key.rules.ts'

/** A named key of an administrator. */
export type AdminKey = KeyLifecycle & { id: string; name: string; role: AdminRole }

export const adminKeyFormat = keyFormat('atradm_')

/**
 * Checks a text against the admin key of the environment; null if it is another text. Compares hashes in constant time:
 * hashes have the same length for every input, so the response time reveals nothing about the key. A key that could be
 * guessed is marked, so that the number of guesses is limited.
 */
export function adminKeyCheck(adminKey: string): (text: string) => AdminCaller | null {
  const expected = sha256Digest(adminKey)
  const owner: AdminCaller = { id: null, label: 'admin key', role: 'OWNER' }
  const isGuessable = estimateEntropyBits(adminKey) < guessableBelowBits
  const caller: AdminCaller = isGuessable ? { ...owner, isGuessable: true } : owner
  return (text) => (timingSafeEqual(sha256Digest(text), expected) ? caller : null)
}
