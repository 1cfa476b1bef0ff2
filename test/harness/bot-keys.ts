import { createPublicKey } from 'node:crypto'
import { signToken } from '../../src/inbound/schemes/json-web-token.ts'
import { appId, jwkOf, keyPairs } from './signing-providers.ts'

/** The settings of a service of its own process that believes what `signedActivity` signs. */
export function botKeysEnvironment(): Record<string, string> {
  const preload = new URL('bot-keys-preload.ts', import.meta.url).href
  const keys = [jwkOf(createPublicKey(keyPairs().rsa.privateKey))]
  return { NODE_OPTIONS: `--import=${preload}`, BOT_KEYS: JSON.stringify({ keys }) }
}

/** A request as Teams sends it to the connection whose `appId` is the one of the tests. */
export function signedActivity(activity: { serviceUrl: string }): { headers: Record<string, string>; body: string } {
  const seconds = Math.floor(Date.now() / 1000)
  const claims = { iss: 'https://api.botframework.com', aud: appId, nbf: seconds, exp: seconds + 3600 }
  const token = signToken({
    claims: { ...claims, serviceurl: activity.serviceUrl },
    header: { kid: 'key-1' },
    key: keyPairs().rsa.privateKey,
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return { headers, body: JSON.stringify(activity) }
}
