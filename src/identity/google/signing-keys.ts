import { boundedText } from '../../kernel/bounded-text.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type KeySet, keySet, rsaKeyPem } from '../../kernel/key-set.ts'
import { Refusal } from '../../kernel/refusal.ts'

export type SigningKeysDeps = {
  /** Address of a JSON Web Key Set (RFC 7517 section 5). */
  url: string
  clock: Clock
  log: { warn(fields: Record<string, unknown>, message: string): void }
  timeoutMs?: number
}

/** Google's key set has 2 KB and two keys. */
const bytesMax = 64 * 1024
const keysMax = 32
/** How long keys are fresh if the response does not say, and the bounds for its `max-age`. */
const freshness = { defaultSeconds: 300, minSeconds: 60, maxSeconds: 86_400 }
/** One request per minute is enough to notice a new key. Without any key nobody can sign in, so the next try comes sooner. */
const pauseSeconds = { unknown: 60, failed: 60, empty: 2 }

/** The public keys of a token issuer, as PEM. */
export function signingKeys({ url, clock, log, timeoutMs = 3000 }: SigningKeysDeps): KeySet<string> {
  return keySet({
    clock,
    pauseSeconds,
    fetchKeys: (now) => fetchKeys(url, { timeoutMs, now }),
    onFailure: (error) => log.warn({ err: error, url }, 'could not fetch the keys that sign ID tokens'),
    unavailable: () =>
      new Refusal('UNAVAILABLE', { detail: 'The keys that sign ID tokens cannot be fetched at the moment.' }),
  })
}

async function fetchKeys(url: string, { timeoutMs, now }: { timeoutMs: number; now: Date }) {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The issuer answered ${response.status}.`)
  }
  const text = await boundedText(response, bytesMax)
  if (text === null) throw new Error(`The issuer's answer is larger than ${bytesMax} bytes.`)
  const keys = readKeySet(JSON.parse(text))
  if (keys.size === 0) throw new Error('The issuer listed no usable key.')
  const seconds = freshSeconds(response.headers.get('cache-control'))
  return { keys, freshUntil: new Date(now.getTime() + seconds * 1000) }
}

function readKeySet(set: unknown): Map<string, string> {
  const { keys } = (set ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length > keysMax) throw new Error('The issuer did not answer with a key set.')
  return new Map(keys.flatMap(readKey))
}

/** A key for RS256 signatures as `[id, PEM]`; an empty list for any other key. */
function readKey(candidate: unknown): [string, string][] {
  const { kid, alg = 'RS256', use = 'sig' } = (candidate ?? {}) as Record<string, unknown>
  if (typeof kid !== 'string' || alg !== 'RS256' || use !== 'sig') return []
  const pem = rsaKeyPem(candidate)
  return pem === null ? [] : [[kid, pem]]
}

function freshSeconds(cacheControl: string | null): number {
  const maxAge = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i.exec(cacheControl ?? '')?.[1]
  const seconds = maxAge === undefined ? freshness.defaultSeconds : Number(maxAge)
  return Math.min(freshness.maxSeconds, Math.max(freshness.minSeconds, seconds))
}
