import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import inject from 'light-my-request'
import { Provider } from 'oidc-provider'
import type { Call, Reply } from '../call.ts'
import type { EmulatorClock } from '../emulator.ts'
import type { Grant, OauthBehaviour, OauthCore, Person, TokenAnswer } from './grant.ts'
import { tokenStore } from './token-store.ts'

export type RegisteredClient = { clientId: string; clientSecret: string }

export type TokenCore = OauthCore & {
  /** Whether access tokens of this app expire, where the provider leaves it to the app. */
  expiringTokens: boolean
  clients: Map<string, RegisteredClient>
  grants(): Grant[]
  revokeGrant(id: string): void
  authorize(request: AuthorizationRequest): Promise<string>
  /** Authorizes and exchanges the code at once. */
  accessToken(request: Omit<AuthorizationRequest, 'clientId'>, client: RegisteredClient): Promise<string>
  token(call: Call): Promise<Reply>
}

type AuthorizationRequest = {
  clientId: string
  redirectUri: string
  person: Person
  scopes: string[]
  asked: Record<string, string>
}

/** One key for all emulators: to make it takes a tenth of a second. */
export async function signingKeys(): Promise<{ keys: unknown[] }> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'emulators' }] }
}

/**
 * Codes and tokens are those of `oidc-provider`: it checks clients, codes, verifiers, expiry and rotation, so that our
 * client is not tested by our own opinion of OAuth. What a provider does in its own way is in its `OauthBehaviour`.
 */
export function tokenCore(
  behaviour: OauthBehaviour,
  { clock, jwks, onIssued }: { clock: EmulatorClock; jwks: { keys: unknown[] }; onIssued(secret: string): void },
): TokenCore {
  const clients = new Map<string, RegisteredClient>()
  const grants = new Map<string, Grant>()
  const store = tokenStore({ clock, ...behaviour, findClient })
  const provider = new Provider(behaviour.issuer, configuration())
  const dispatch = provider.callback()

  function findClient(id: string) {
    const client = clients.get(id)
    if (client === undefined) return undefined
    return {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // Codes are bound to the address they were asked for; this list is not used.
      redirect_uris: ['https://unused.example/callback'],
      token_endpoint_auth_method: behaviour.clientAuthentication,
    }
  }

  function configuration() {
    const accessSeconds = () =>
      core.expiringTokens
        ? (behaviour.expiringAccessSeconds ?? behaviour.accessSeconds ?? yearSeconds)
        : (behaviour.accessSeconds ?? 10 * yearSeconds)
    return {
      adapter: (kind: string) => store.adapter(kind),
      jwks,
      scopes: ['openid', 'offline_access'],
      pkce: { required: () => behaviour.pkce === 'required' },
      findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: async () => claimsOf(id) }),
      issueRefreshToken: async (_context: unknown, _client: unknown, code: { grantId: string }) =>
        hasRefreshToken(code.grantId),
      rotateRefreshToken: behaviour.rotation === 'replaced',
      clientBasedCORS: () => false,
      conformIdTokenClaims: false,
      claims: { openid: ['sub', 'email', 'name'] },
      ttl: {
        AuthorizationCode: behaviour.codeSeconds,
        AccessToken: accessSeconds,
        RefreshToken: behaviour.refreshSeconds,
        Grant: 10 * yearSeconds,
        IdToken: 3600,
      },
      routes: { token: '/token', revocation: '/revoke' },
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true, allowedPolicy: () => true },
      },
    }
  }

  function hasRefreshToken(grantId: string): boolean {
    const grant = grants.get(grantId)
    return (
      grant !== undefined && (behaviour.accessSeconds !== null || core.expiringTokens) && behaviour.isOffline(grant)
    )
  }

  function claimsOf(id: string) {
    const person = behaviour.people.find((it) => it.id === id)
    return { sub: id, email: person?.email, name: person?.name }
  }

  async function send(path: string, { text, headers }: Pick<Call, 'text' | 'headers'>): Promise<TokenAnswer> {
    const { authorization } = headers
    const answer = await inject(dispatch, {
      method: 'POST',
      url: path,
      headers: {
        host: new URL(behaviour.issuer).host,
        'content-type': 'application/x-www-form-urlencoded',
        ...(authorization !== undefined && { authorization }),
      },
      payload: text,
    })
    return { status: answer.statusCode, body: answer.payload === '' ? {} : JSON.parse(answer.payload) }
  }

  function grantOfToken(kind: 'AccessToken' | 'RefreshToken', token: string): Grant | null {
    return grants.get(store.read(kind, token)?.grantId ?? '') ?? null
  }

  function revokeGrant(id: string): void {
    store.revokeGrant(id)
    grants.delete(id)
  }

  const core: TokenCore = {
    expiringTokens: false,
    clients,
    grants: () => [...grants.values()],
    revokeGrant,
    grantOf: (token) => grantOfToken('AccessToken', token),
    revokeToken: (token) => {
      const grant = grantOfToken('AccessToken', token) ?? grantOfToken('RefreshToken', token)
      if (grant !== null) revokeGrant(grant.id)
      return grant !== null
    },
    revocation: async (call) => {
      const form = new URLSearchParams(call.text)
      const token = form.get('token') ?? ''
      const grant = grantOfToken('AccessToken', token) ?? grantOfToken('RefreshToken', token)
      const { status, body } = await send('/revoke', call)
      if (status === 200 && grant !== null) revokeGrant(grant.id)
      return { status, body }
    },
    isClient: (clientId, secret) => clients.get(clientId)?.clientSecret === secret,
    authorize: async ({ clientId, redirectUri, person, scopes, asked }) => {
      const oidcScope = ['openid', 'offline_access'].filter((scope) => scopes.includes(scope)).join(' ')
      const saved = new provider.Grant({ accountId: person.id, clientId })
      if (oidcScope !== '') saved.addOIDCScope(oidcScope)
      const grantId = await saved.save()
      grants.set(grantId, { id: grantId, clientId, person, scopes, asked })
      const client = await provider.Client.find(clientId)
      const challenge = asked['code_challenge']
      const code = await new provider.AuthorizationCode({
        accountId: person.id,
        client,
        grantId,
        redirectUri,
        ...(oidcScope !== '' && { scope: oidcScope }),
        ...(asked['nonce'] !== undefined && { nonce: asked['nonce'] }),
        ...(challenge !== undefined && { codeChallenge: challenge, codeChallengeMethod: 'S256' }),
      }).save()
      onIssued(code)
      return code
    },
    accessToken: async (request, { clientId, clientSecret }) => {
      const code = await core.authorize({ ...request, clientId })
      const form = { grant_type: 'authorization_code', code, redirect_uri: request.redirectUri }
      const isBasic = behaviour.clientAuthentication === 'client_secret_basic'
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const fields = isBasic ? form : { ...form, client_id: clientId, client_secret: clientSecret }
      const text = new URLSearchParams(fields).toString()
      const { body } = await send('/token', { text, headers: isBasic ? { authorization: `Basic ${basic}` } : {} })
      return String(body['access_token'])
    },
    token: async (call) => {
      const request = behaviour.toRequest?.(call) ?? call
      const form = new URLSearchParams(request.text)
      const { status, body } = await send('/token', request)
      const grant = typeof body['access_token'] === 'string' ? grantOfToken('AccessToken', body['access_token']) : null
      const isRefresh = form.get('grant_type') === 'refresh_token'
      const answer = behaviour.toAnswer({ status, body }, { grant, isRefresh })
      for (const member of ['access_token', 'refresh_token'])
        if (typeof answer.body[member] === 'string') onIssued(answer.body[member])
      return answer
    },
  }
  return core
}

const yearSeconds = 365 * 86_400
