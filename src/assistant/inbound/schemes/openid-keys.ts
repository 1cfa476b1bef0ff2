import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { ask, awayRefusal } from './asking.ts'
import { readPayloadText, valueAt } from './payload.ts'
import { metadataBytesMax, type ProviderDocuments } from './provider-fetch.ts'

/** `endorsements`: the channels whose activities the key may sign. */
export type OpenIdKey = { key: KeyObject; endorsements: readonly string[] }

export type OpenIdKeys = {
  /** Null where the issuer has no such key. Refuses UNAVAILABLE while that cannot be known. */
  find(keyId: string): Promise<OpenIdKey | null>
}

type Deps = Pick<ProviderDocuments, 'fetchMetadata'> & {
  /** Of the metadata (OpenID Connect Discovery section 3), whose `jwks_uri` has to be on the same host. */
  url: string
  clock: Clock
}

/** Both from the Bot Framework's authentication document: a day, and no more than one request an hour for unknown keys. */
const freshMs = 86_400_000
const unknownCoolDownMs = 3_600_000
const failedCoolDownMs = 60_000
const keysMax = 200
const modulusBitsMin = 2048

/**
 * The keys of an issuer. While it is away those that are known go on being used, however old: an outage of theirs
 * silences nobody. One request at a time is under way.
 */
export function openIdKeys({ url, fetchMetadata, clock }: Deps): OpenIdKeys {
  let known: { keys: Map<string, OpenIdKey>; atMs: number } | null = null
  let attempt: { atMs: number; hasFailed: boolean } | null = null
  let running: Promise<void> | null = null

  const fetchAll = async () => {
    const atMs = clock.now().getTime()
    try {
      known = { keys: await fetchKeys(url, fetchMetadata), atMs }
      attempt = { atMs, hasFailed: false }
    } catch {
      attempt = { atMs, hasFailed: true }
    } finally {
      running = null
    }
  }
  const isDue = (nowMs: number): boolean => {
    if (attempt === null) return true
    return Math.abs(nowMs - attempt.atMs) >= (attempt.hasFailed ? failedCoolDownMs : unknownCoolDownMs)
  }

  return {
    find: async (keyId) => {
      const nowMs = clock.now().getTime()
      if (known === null || nowMs - known.atMs >= freshMs || !known.keys.has(keyId)) {
        if (running === null && isDue(nowMs)) running = fetchAll()
        await running
      }
      const key = known?.keys.get(keyId)
      if (key !== undefined) return key
      if (known === null || attempt?.hasFailed) throw awayRefusal()
      return null
    },
  }
}

async function fetchKeys(url: string, fetchMetadata: Deps['fetchMetadata']): Promise<Map<string, OpenIdKey>> {
  const metadata = await ask(fetchMetadata, { url, bytesMax: metadataBytesMax })
  const keysUrl = valueAt(readPayloadText(metadata ?? ''), 'jwks_uri')
  if (typeof keysUrl !== 'string' || !isOnSameHost(keysUrl, url))
    throw new Error('The metadata name no address of keys.')
  const set = await ask(fetchMetadata, { url: keysUrl, bytesMax: metadataBytesMax })
  const listed = valueAt(readPayloadText(set ?? ''), 'keys')
  const keys = new Map(Array.isArray(listed) && listed.length <= keysMax ? listed.flatMap(readKey) : [])
  if (keys.size === 0) throw new Error('The issuer listed no key that can be used.')
  return keys
}

function isOnSameHost(candidate: string, url: string): boolean {
  return URL.canParse(candidate) && new URL(candidate).origin === new URL(url).origin
}

/** A key for RSA signatures as `[id, key]`; nothing for any other. */
function readKey(candidate: unknown): [string, OpenIdKey][] {
  const [kid, kty, endorsements] = ['kid', 'kty', 'endorsements'].map((name) => valueAt(candidate, name))
  if (typeof kid !== 'string' || kty !== 'RSA' || valueAt(candidate, 'use') === 'enc') return []
  const key = publicKeyOf(candidate as JsonWebKey)
  if (key === null || (key.asymmetricKeyDetails?.modulusLength ?? 0) < modulusBitsMin) return []
  const channels = Array.isArray(endorsements) ? endorsements.filter((channel) => typeof channel === 'string') : []
  return [[kid, { key, endorsements: channels }]]
}

function publicKeyOf(key: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return null
  }
}
