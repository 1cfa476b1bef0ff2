import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Refusal } from './refusal.ts'

/** The public keys of an issuer of signatures, by their ids. */
export type KeySet<Key> = {
  /** Null if there is no such key. Throws `unavailable()` while that cannot be known. */
  find(keyId: string): Promise<Key | null>
}

export type KeySetDeps<Key> = {
  /** Rejects if the issuer does not answer, or not with keys. */
  fetchKeys(now: Date): Promise<{ keys: ReadonlyMap<string, Key>; freshUntil: Date }>
  clock: Clock
  /**
   * The pause after a request: before the next one for an unknown key, after a failure, and after a failure while there are
   * no keys at all. Invented key ids must not become requests to the issuer.
   */
  pauseSeconds: { unknown: number; failed: number; empty: number }
  unavailable: () => Refusal
  onFailure?: (error: unknown) => void
}

/**
 * Fetches keys when they are needed and caches them while they are fresh. While the issuer is down, cached keys are used
 * however old they are: its outage locks out nobody whose key is known. There is one request at a time.
 */
export function keySet<Key>({ fetchKeys, clock, pauseSeconds, unavailable, onFailure }: KeySetDeps<Key>): KeySet<Key> {
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
      if (known === null || attempt?.hasFailed) throw unavailable()
      return null
    },
  }
}

const modulusBitsMin = 2048

/** A public RSA key of a JSON Web Key Set (RFC 7517), as PEM. Null for any other key, and for one that is too short. */
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
