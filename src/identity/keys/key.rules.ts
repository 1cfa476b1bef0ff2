import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../../kernel/checksum.ts'

export type ApiKey = {
  id: string
  tenantId: string
  name: string
  products: string[]
  /** The start of the key, by which a person recognises it. */
  keyPrefix: string
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  revokedAt: Date | null
}

export type KeyStatus = 'ACTIVE' | 'REVOKED' | 'EXPIRED'

export type NewApiKey = { key: string; keyPrefix: string; keyHash: Buffer }

const prefix = 'atr_'
/** 30 base62 characters hold 178 bits: far past guessing, so one SHA-256 without salt stores them safely. */
const randomLength = 30
const shownLength = 4
const form = /^atr_[0-9A-Za-z]{36}$/

/** A new key and what is stored of it. The key itself is shown once and kept nowhere. */
export function newApiKey(random: RandomBytes): NewApiKey {
  const key = withBase62Check(prefix + randomBase62(randomLength, random))
  return { key, keyPrefix: key.slice(0, prefix.length + shownLength), keyHash: sha256Digest(key) }
}

/** The stored hash (SHA-256, 32 bytes) of what a caller sent as a key; null for what no key can be, without a look-up. */
export function hashApiKey(text: unknown): Buffer | null {
  const keyHash = hashUncheckedApiKey(text)
  return keyHash !== null && hasBase62Check(text as string) ? keyHash : null
}

/** The same before the check characters are read: what is known by this hash needs no check. */
export function hashUncheckedApiKey(text: unknown): Buffer | null {
  return typeof text === 'string' && form.test(text) ? sha256Digest(text) : null
}

/** Revoked wins over expired; a key is expired from the instant of `expiresAt` on. */
export function keyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (key.revokedAt) return 'REVOKED'
  if (key.expiresAt && key.expiresAt <= now) return 'EXPIRED'
  return 'ACTIVE'
}
