import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../../kernel/checksum.ts'

export const keyStatuses = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const
export type KeyStatus = (typeof keyStatuses)[number]

/** What the keys of tenants and the named keys of administrators have in common. */
export type KeyLifecycle = {
  /** The start of the key, by which people recognize it. */
  keyPrefix: string
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  revokedAt: Date | null
}

export type ApiKey = KeyLifecycle & { id: string; tenantId: string; name: string; products: string[] }

/** Revoked wins over expired. A key is expired from the instant of `expiresAt` on. */
export function keyStatus(key: Pick<KeyLifecycle, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (key.revokedAt) return 'REVOKED'
  if (key.expiresAt && key.expiresAt <= now) return 'EXPIRED'
  return 'ACTIVE'
}

/** A new key, which is shown once, and what is stored of it. */
export type NewKeyText = { key: string; keyPrefix: string; keyHash: Buffer }

/** 30 base62 characters hold 178 bits: the key cannot be guessed, so a SHA-256 without salt stores it safely. */
const randomLength = 30
const checkLength = 6
const shownLength = 4

/** Keys that start with a prefix: how to create one, and the hash (SHA-256, 32 bytes) under which one is stored. */
export function keyFormat(prefix: string) {
  const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checkLength}}$`)

  /** Skips the check characters: a hash that is found needs no check. Null if the text cannot be a key. */
  const hashUnchecked = (text: unknown): Buffer | null =>
    typeof text === 'string' && pattern.test(text) ? sha256Digest(text) : null

  return {
    create: (random: RandomBytes): NewKeyText => {
      const key = withBase62Check(prefix + randomBase62(randomLength, random))
      return { key, keyPrefix: key.slice(0, prefix.length + shownLength), keyHash: sha256Digest(key) }
    },
    hashUnchecked,
    /** Null if the text cannot be a key. */
    hash: (text: unknown): Buffer | null => {
      const keyHash = hashUnchecked(text)
      return keyHash !== null && hasBase62Check(text as string) ? keyHash : null
    },
  }
}

export const apiKeyFormat = keyFormat('atr_')
