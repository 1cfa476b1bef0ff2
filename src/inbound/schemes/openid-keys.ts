import type { Clock } from '../../kernel/clock.ts'
import { type KeySet, keySet, rsaKeyPem } from '../../kernel/key-set.ts'
import { type Json, parseJsonObject, valueAt } from '../json.ts'
import { fetchDocument, metadataBytesMax, type ProviderDocuments, providerUnavailable } from './provider-documents.ts'

/** `endorsements`: the channels whose activities the key may sign. */
export type OpenIdKey = { pem: string; endorsements: readonly string[] }

export type OpenIdKeys = KeySet<OpenIdKey>

type Deps = Pick<ProviderDocuments, 'fetchMetadata'> & {
  /** Address of the metadata (OpenID Connect Discovery section 3). Its `jwks_uri` must be on the same host. */
  url: string
  clock: Clock
}

/** From the Bot Framework's authentication document: keys are fresh for a day, and unknown keys cause at most one request an hour. */
const freshMs = 86_400_000
const pauseSeconds = { unknown: 3600, failed: 60, empty: 60 }
const keysMax = 200

/** The keys of an issuer that publishes OpenID metadata. */
export function openIdKeys({ url, fetchMetadata, clock }: Deps): OpenIdKeys {
  return keySet({
    clock,
    pauseSeconds,
    unavailable: providerUnavailable,
    fetchKeys: async (now) => ({
      keys: await fetchKeys(url, fetchMetadata),
      freshUntil: new Date(now.getTime() + freshMs),
    }),
  })
}

async function fetchKeys(url: string, fetchMetadata: Deps['fetchMetadata']): Promise<Map<string, OpenIdKey>> {
  const metadata = await fetchDocument(fetchMetadata, { url, bytesMax: metadataBytesMax })
  const keysUrl = valueAt(parseJsonObject(metadata), 'jwks_uri')
  if (typeof keysUrl !== 'string' || !isOnSameHost(keysUrl, url))
    throw new Error('The metadata has no usable jwks_uri.')
  const set = await fetchDocument(fetchMetadata, { url: keysUrl, bytesMax: metadataBytesMax })
  const listed = valueAt(parseJsonObject(set), 'keys')
  const keys = new Map(Array.isArray(listed) && listed.length <= keysMax ? listed.flatMap(readKey) : [])
  if (keys.size === 0) throw new Error('The issuer lists no usable key.')
  return keys
}

function isOnSameHost(candidate: string, url: string): boolean {
  return URL.canParse(candidate) && new URL(candidate).origin === new URL(url).origin
}

/** `[id, key]` for an RSA signature key; nothing for any other key. */
function readKey(candidate: Json): [string, OpenIdKey][] {
  const [kid, use, endorsements] = ['kid', 'use', 'endorsements'].map((name) => valueAt(candidate, name))
  const pem = rsaKeyPem(candidate)
  if (typeof kid !== 'string' || use === 'enc' || pem === null) return []
  const channels = Array.isArray(endorsements) ? endorsements.filter((channel) => typeof channel === 'string') : []
  return [[kid, { pem, endorsements: channels }]]
}
