import { fieldAt, isRecord, textAt } from './answer-fields.ts'
import { basic, bearerRequest, ordinary, type ProviderRow } from './provider.ts'

/** Sent with each call of its API. */
export const githubHeaders = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

export const github: ProviderRow = {
  ...ordinary,
  name: 'github',
  title: 'GitHub',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
      'https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens',
      'https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-authorization',
    ],
  },
  authorize: {
    url: 'https://github.com/login/oauth/authorize',
    params: {},
    scopeParam: 'scope',
    scopeSeparator: ' ',
    pkce: 'S256',
  },
  isIssuer: (issuer) => issuer === 'https://github.com/login/oauth',
  token: {
    url: 'https://github.com/login/oauth/access_token',
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: { accept: 'application/json' },
    // Tokens of 8 hours with refresh tokens of 6 months, or one that never ends: the app's settings decide.
    rotation: 'answer',
    hasGrace: false,
  },
  deadGrantWords: ['bad_refresh_token'],
  scopes: { base: [], features: { tasks: ['repo', 'admin:repo_hook'] } },
  apiHosts: ['api.github.com'],
  linkHosts: ['github.com'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, 'https://api.github.com/user', githubHeaders),
    read: (answer) => {
      const id = textAt(answer, 'id')
      return id === null ? null : { account: { id, name: textAt(answer, 'login') ?? id } }
    },
  },
  revoke: (client, { accessToken }) => ({
    method: 'DELETE',
    url: `https://api.github.com/applications/${encodeURIComponent(client.clientId)}/grant`,
    headers: { ...githubHeaders, 'content-type': 'application/json', ...basic(client) },
    body: JSON.stringify({ access_token: accessToken }),
  }),
  isRevokedByAccessToken: true,
  // Errors are 200.
  toTokenAnswer: ({ status, body }) => {
    if (fieldAt(body, 'error') !== undefined) return { status: Math.max(status, 400), body }
    if (!isRecord(body)) return { status, body }
    return { status, body: { ...body, scope: (textAt(body, 'scope') ?? '').replaceAll(',', ' ') } }
  },
}
