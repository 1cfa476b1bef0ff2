import type { Clock } from '../../kernel/clock.ts'
import { type KeySet, keySet, rsaKeyPem } from '../../kernel/key-set.ts'
import { type Json, valueAt } from '../json.ts'
import { ask, awayRefusal } from './asking.ts'
import { readPayloadText } from './payload.ts'
import { metadataBytesMax, type ProviderDocuments } from './provider-fetch.ts'

/** `endorsements`: the channels whose activities the key may sign. */
export type OpenIdKey = { pem: string; endorsements: readonly string[] }

export type OpenIdKeys = KeySet<OpenIdKey>

type Deps = Pick<ProviderDocuments, 'fetchMetadata'> & {
  /** Of the metadata (OpenID Connect Discovery section 3), whose `jwks_uri` has to be on the same host. */
  url: string
  clock: Clock
}

/** Both from the Bot Framework's authentication document: a day, and no more than one request an hour for unknown keys. */
const freshMs = 86_400_000
const pauseSeconds = { unknown: 3600, failed: 60, empty: 60 }
const keysMax = 200

/** The keys of an issuer that publishes OpenID metadata. */
export function openIdKeys({ url, fetchMetadata, clock }: Deps): OpenIdKeys {
  return keySet({
    clock,
    pauseSeconds,
    away: awayRefusal,
    fetchKeys: async (now) => ({
      keys: await fetchKeys(url, fetchMetadata),
      freshUntil: new Date(now.getTime() + freshMs),
    }),
  })
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
function readKey(candidate: Json): [string, OpenIdKey][] {
  const [kid, use, endorsements] = ['kid', 'use', 'endorsements'].map((name) => valueAt(candidate, name))
  const pem = rsaKeyPem(candidate)
  if (typeof kid !== 'string' || use === 'enc' || pem === null) return []
  const channels = Array.isArray(endorsements) ? endorsements.filter((channel) => typeof channel === 'string') : []
  return [[kid, { pem, endorsements: channels }]]
}
