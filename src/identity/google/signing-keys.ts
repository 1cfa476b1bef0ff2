import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'

export type SigningKeys = {
  /** The key with the id, as PEM; null where the issuer has none. Refuses UNAVAILABLE while it cannot be asked. */
  find(keyId: string): Promise<string | null>
}

export type SigningKeysDeps = {
  /** Of a JSON Web Key Set (RFC 7517 section 5). */
  url: string
  clock: Clock
  log: { warn(fields: Record<string, unknown>, message: string): void }
  timeoutMs?: number
}

/** Google's has 2 KB and two keys. */
const bytesMax = 64 * 1024
const keysMax = 32
const modulusBitsMin = 2048
/** How long keys are taken for fresh where the answer does not say, and within what its `max-age` is believed. */
const fresh = { standardSeconds: 300, minSeconds: 60, maxSeconds: 86_400 }
/** Made-up key ids must not become requests to the issuer: one a minute is enough to notice a new key. */
const coolDownMs = 60_000
/** Without any key nobody can sign in, so it is asked again sooner. */
const emptyCoolDownMs = 2000

type KeySet = { pems: Map<string, string>; freshUntilMs: number }

/**
 * The public keys of an issuer of tokens, kept for as long as the issuer says. While it is away the kept ones go on being
 * used, however old: an outage of theirs locks nobody out whose key is known. One request at a time is under way.
 */
export function signingKeys({ url, clock, log, timeoutMs = 3000 }: SigningKeysDeps): SigningKeys {
  let known: KeySet | null = null
  let attempt: { atMs: number; hasFailed: boolean } | null = null
  let running: Promise<void> | null = null

  const fetchAll = async () => {
    const atMs = clock.now().getTime()
    try {
      known = await fetchKeySet(url, { timeoutMs, nowMs: atMs })
      attempt = { atMs, hasFailed: false }
    } catch (error) {
      attempt = { atMs, hasFailed: true }
      log.warn({ err: error, url }, 'the keys that sign ID tokens could not be fetched')
    } finally {
      running = null
    }
  }

  const isDue = (nowMs: number): boolean =>
    attempt === null || Math.abs(nowMs - attempt.atMs) >= (known === null ? emptyCoolDownMs : coolDownMs)

  return {
    find: async (keyId) => {
      const nowMs = clock.now().getTime()
      if (known === null || nowMs >= known.freshUntilMs || !known.pems.has(keyId)) {
        if (running === null && isDue(nowMs)) running = fetchAll()
        await running
      }
      const pem = known?.pems.get(keyId)
      if (pem !== undefined) return pem
      if (known === null || attempt?.hasFailed)
        throw new Refusal('UNAVAILABLE', { detail: 'The keys that sign ID tokens cannot be fetched at the moment.' })
      return null
    },
  }
}

async function fetchKeySet(url: string, { timeoutMs, nowMs }: { timeoutMs: number; nowMs: number }): Promise<KeySet> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The issuer answered ${response.status}.`)
  }
  const pems = readKeySet(JSON.parse(await textOf(response)))
  if (pems.size === 0) throw new Error('The issuer listed no key that can be used.')
  return { pems, freshUntilMs: nowMs + freshSeconds(response.headers.get('cache-control')) * 1000 }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the rest.
    if (bytes > bytesMax) throw new Error(`The issuer answered with more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readKeySet(set: unknown): Map<string, string> {
  const { keys } = (set ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length > keysMax) throw new Error('The issuer answered with no key set.')
  return new Map(keys.flatMap(readKey))
}

/** A key for RS256 signatures as `[id, PEM]`; nothing for any other, which is not ours to use. */
function readKey(candidate: unknown): [string, string][] {
  const { kid, kty, alg = 'RS256', use = 'sig' } = (candidate ?? {}) as Record<string, unknown>
  if (typeof kid !== 'string' || kty !== 'RSA' || alg !== 'RS256' || use !== 'sig') return []
  const key = publicKeyOf(candidate as JsonWebKey)
  if ((key?.asymmetricKeyDetails?.modulusLength ?? 0) < modulusBitsMin) return []
  return [[kid, String(key?.export({ format: 'pem', type: 'spki' }))]]
}

function publicKeyOf(key: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return null
  }
}

function freshSeconds(cacheControl: string | null): number {
  const maxAge = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i.exec(cacheControl ?? '')?.[1]
  const seconds = maxAge === undefined ? fresh.standardSeconds : Number(maxAge)
  return Math.min(fresh.maxSeconds, Math.max(fresh.minSeconds, seconds))
}
