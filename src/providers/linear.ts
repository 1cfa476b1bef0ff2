import { fieldAt, isRecord, listAt, textAt } from './answer-fields.ts'
import { bearer, formRevocation, ordinary, type ProviderRequest, type ProviderRow } from './provider.ts'

const apiUrl = 'https://api.linear.app/graphql'

export const linear: ProviderRow = {
  ...ordinary,
  name: 'linear',
  title: 'Linear',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://linear.app/developers/oauth-2-0-authentication',
      'https://linear.app/developers/oauth-actor-authorization',
      'https://linear.app/developers/rate-limiting',
    ],
  },
  authorize: {
    url: 'https://linear.app/oauth/authorize',
    // What the app writes is written by the app, not by the person who connected it.
    params: { actor: 'app' },
    scopeParam: 'scope',
    scopeSeparator: ',',
    pkce: 'S256',
  },
  token: {
    url: 'https://api.linear.app/oauth/token',
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: {},
    // 24 hours. An earlier refresh token works on for half an hour.
    rotation: 'always',
    hasGrace: true,
  },
  deadGrantWords: ['invalid_grant'],
  scopes: { base: ['read'], features: { tasks: ['read', 'write'] } },
  apiHosts: ['api.linear.app'],
  linkHosts: ['linear.app'],
  identity: {
    request: (accessToken) => graphqlRequest(accessToken, 'query { organization { id name } viewer { id } }', {}),
    read: (answer) => {
      const id = textAt(answer, 'data', 'organization', 'id')
      return id === null ? null : { account: { id, name: textAt(answer, 'data', 'organization', 'name') ?? id } }
    },
  },
  revoke: (client, { accessToken, refreshToken }) =>
    formRevocation('https://api.linear.app/oauth/revoke', {
      token: refreshToken ?? accessToken,
      token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
  toTokenAnswer: ({ status, body }) => ({ status, body: withScopeText(body) }),
  toApiAnswer: (answer) => {
    const code = textAt(listAt(answer.body, 'errors')[0], 'extensions', 'code')
    if (fieldAt(answer.body, 'errors') === undefined) return answer
    if (code === 'RATELIMITED') return { ...answer, status: 429 }
    if (code === 'AUTHENTICATION_ERROR') return { ...answer, status: 401 }
    return { ...answer, status: Math.max(answer.status, code === 'FORBIDDEN' ? 403 : 400) }
  },
}

/** @param variables what the query declares. Values are never part of the query's text. */
export function graphqlRequest(
  accessToken: string,
  query: string,
  variables: Record<string, unknown>,
): ProviderRequest {
  return {
    method: 'POST',
    url: apiUrl,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...bearer(accessToken) },
    body: JSON.stringify({ query, variables }),
  }
}

/** The scopes may be a list, or text with commas. */
function withScopeText(body: unknown): unknown {
  if (!isRecord(body) || body.scope === undefined) return body
  const scope = Array.isArray(body.scope) ? body.scope.join(' ') : String(body.scope).replaceAll(',', ' ')
  return { ...body, scope }
}
