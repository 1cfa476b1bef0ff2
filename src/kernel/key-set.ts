import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Refusal } from './refusal.ts'

/** The public keys of somebody who signs, by their ids. */
export type KeySet<Key> = {
  /** Null where there is no such key. Refuses as `away` says while that cannot be known. */
  find(keyId: string): Promise<Key | null>
}

export type KeySetDeps<Key> = {
  /** Rejects where the issuer cannot be asked, or answers with nothing of use. */
  fetchKeys(now: Date): Promise<{ keys: ReadonlyMap<string, Key>; freshUntil: Date }>
  clock: Clock
  /**
   * How long after a request there is none for a key that is not known, after one that failed, and after one that failed
   * while there are no keys at all: made-up key ids must not become requests to the issuer.
   */
  pauseSeconds: { unknown: number; failed: number; empty: number }
  away: () => Refusal
  onFailure?: (error: unknown) => void
}

/**
 * Keys that are fetched when they are needed and kept for as long as they are fresh. While the issuer is away the kept
 * ones go on being used, however old: an outage of theirs locks nobody out whose key is known. One request at a time is
 * under way.
 */
export function keySet<Key>({ fetchKeys, clock, pauseSeconds, away, onFailure }: KeySetDeps<Key>): KeySet<Key> {
  let known: Awaited<ReturnType<typeof fetchKeys>> | null = null
  let attempt: { atMs: number; hasFailed: boolean } | null = null
  let running: Promise<void> | null = null

  const fetchAll = async () => {
    const now = clock.now()
    try {
      known = await fetchKeys(now)
      attempt = { atMs: now.getTime(), hasFailed: false }
    } catch (error) {
      attempt = { atMs: now.getTime(), hasFailed: true }
      onFailure?.(error)
    } finally {
      running = null
    }
  }
  const isDue = (now: Date): boolean => {
    if (attempt === null) return true
    const seconds = known === null ? pauseSeconds.empty : pauseSeconds[attempt.hasFailed ? 'failed' : 'unknown']
    return Math.abs(now.getTime() - attempt.atMs) >= seconds * 1000
  }

  return {
    find: async (keyId) => {
      const now = clock.now()
      if (known === null || now >= known.freshUntil || !known.keys.has(keyId)) {
        if (running === null && isDue(now)) running = fetchAll()
        await running
      }
      const key = known?.keys.get(keyId)
      if (key !== undefined) return key
      if (known === null || attempt?.hasFailed) throw away()
      return null
    },
  }
}

const modulusBitsMin = 2048

/** A public RSA key of a JSON Web Key Set (RFC 7517), as PEM; null for any other, and for one that is too short. */
export function rsaKeyPem(key: unknown): string | null {
  if ((key as JsonWebKey | null)?.kty !== 'RSA') return null
  try {
    const read = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    const isStrong = (read.asymmetricKeyDetails?.modulusLength ?? 0) >= modulusBitsMin
    return isStrong ? String(read.export({ format: 'pem', type: 'spki' })) : null
  } catch {
    return null
  }
}
