import { textAt } from './answer-fields.ts'
import { basic, bearerRequest, ordinary, type ProviderRow } from './provider.ts'

/** Sent with each call of its API. */
export const notionHeaders = { 'notion-version': '2025-09-03', accept: 'application/json' }

export const notion: ProviderRow = {
  ...ordinary,
  name: 'notion',
  title: 'Notion',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://developers.notion.com/docs/authorization',
      'https://developers.notion.com/reference/create-a-token',
      'https://developers.notion.com/reference/revoke-token',
    ],
  },
  authorize: {
    url: 'https://api.notion.com/v1/oauth/authorize',
    params: { owner: 'user' },
    // People choose pages; there are no scopes.
    scopeParam: null,
    scopeSeparator: ' ',
    pkce: null,
  },
  token: {
    url: 'https://api.notion.com/v1/oauth/token',
    clientAuthentication: 'basic',
    bodyType: 'json',
    headers: notionHeaders,
    // There is no `expires_in`: a token is used until it is refused.
    rotation: 'always',
    hasGrace: true,
  },
  deadGrantWords: ['invalid_grant', 'unauthorized'],
  scopes: { base: [], features: { export: [], import: [] } },
  apiHosts: ['api.notion.com'],
  linkHosts: ['www.notion.so', 'app.notion.com'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, 'https://api.notion.com/v1/users/me', notionHeaders),
    read: (answer) => {
      const id = textAt(answer, 'id')
      return id === null ? null : { account: { id, name: textAt(answer, 'bot', 'workspace_name') ?? id } }
    },
  },
  revoke: (client, { accessToken }) => ({
    method: 'POST',
    url: 'https://api.notion.com/v1/oauth/revoke',
    headers: { ...notionHeaders, 'content-type': 'application/json', ...basic(client) },
    body: JSON.stringify({ token: accessToken }),
  }),
  isRevokedByAccessToken: true,
  // Its errors have the word of RFC 6749 in `code`, where `error` is missing.
  toTokenAnswer: ({ status, body }) => {
    const word = textAt(body, 'error') ?? textAt(body, 'code')
    return status < 400 || word === null ? { status, body } : { status, body: { ...(body as object), error: word } }
  },
}
