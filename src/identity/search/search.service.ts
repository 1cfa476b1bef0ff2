import { isRequestId } from '../../http/headers.ts'
import type { Found } from '../../kernel/found.ts'
import { isId } from '../../kernel/ids.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { adminKeyFormat } from '../admin-keys/admin-key.rules.ts'
import { apiKeyFormat } from '../keys/key.rules.ts'
import { findAdminKeys, findApiKeys, findAuditOfRequest, findTenants, findUsers } from './search.store.ts'

const keyPrefixes = { apiKey: /^atr_[0-9A-Za-z]{4}/, adminKey: /^atradm_[0-9A-Za-z]{4}/ }

/** Tenants, users, keys and audit entries, by what the text can be. */
export async function searchIdentity(platform: PlatformScope, text: string): Promise<Found[]> {
  const found = await Promise.all([...byKey(platform, text), ...byName(platform, text), ...byId(platform, text)])
  return found.flat()
}

function byId(platform: PlatformScope, text: string): Promise<Found[]>[] {
  const ofRequest = isRequestId(text) ? [findAuditOfRequest(platform, text)] : []
  if (!isId(text)) return ofRequest
  const by = { id: text }
  return [
    findTenants(platform, by),
    findUsers(platform, by),
    findApiKeys(platform, by),
    findAdminKeys(platform, by),
    ...ofRequest,
  ]
}

/** A whole key finds only itself, its start all keys that begin like it. */
function byKey(platform: PlatformScope, text: string): Promise<Found[]>[] {
  const apiKey = keyName(text, keyPrefixes.apiKey, apiKeyFormat.hash)
  const adminKey = keyName(text, keyPrefixes.adminKey, adminKeyFormat.hash)
  return [
    ...(apiKey === null ? [] : [findApiKeys(platform, apiKey)]),
    ...(adminKey === null ? [] : [findAdminKeys(platform, adminKey)]),
  ]
}

function keyName(text: string, prefix: RegExp, hash: (text: string) => Buffer | null) {
  const [keyPrefix] = prefix.exec(text) ?? []
  if (keyPrefix === undefined) return null
  const keyHash = hash(text)
  return keyHash === null ? { keyPrefix } : { keyHash }
}

function byName(platform: PlatformScope, text: string): Promise<Found[]>[] {
  if (isId(text)) return []
  if (text.includes('@')) return [findUsers(platform, { emailStart: text.normalize('NFKC').toLowerCase() })]
  return [findTenants(platform, { text })]
}
