import { isRecord, listAt, textAt } from './answer-fields.ts'
import { bearerRequest, formRevocation, ordinary, type ProviderRow } from './provider.ts'

export const hubspot: ProviderRow = {
  ...ordinary,
  name: 'hubspot',
  title: 'HubSpot',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://developers.hubspot.com/docs/api-reference/2026-03/authentication/oauth-tokens/refresh-oauth-token',
      // v1 ends on 2027-02-16.
      'https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/migration-guide',
      'https://developers.hubspot.com/docs/api-reference/latest/authentication/oauth-tokens/revoke-token',
    ],
  },
  authorize: {
    url: 'https://app.hubspot.com/oauth/authorize',
    params: {},
    scopeParam: 'scope',
    scopeSeparator: ' ',
    pkce: 'S256',
  },
  token: {
    url: 'https://api.hubapi.com/oauth/2026-03/token',
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: {},
    rotation: 'never',
    hasGrace: true,
  },
  deadGrantWords: ['invalid_grant'],
  scopes: {
    base: ['oauth'],
    features: { crm: ['crm.objects.contacts.read', 'crm.objects.contacts.write'] },
  },
  apiHosts: ['api.hubapi.com'],
  linkHosts: ['app.hubspot.com'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, 'https://api.hubapi.com/account-info/v3/details'),
    read: (answer) => {
      const id = textAt(answer, 'portalId')
      return id === null ? null : { account: { id, name: textAt(answer, 'uiDomain') ?? id } }
    },
  },
  revoke: (client, { accessToken, refreshToken }) =>
    formRevocation('https://api.hubapi.com/oauth/2026-03/token/revoke', {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      token: refreshToken ?? accessToken,
      token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
    }),
  toTokenAnswer: ({ status, body }) => {
    if (!isRecord(body)) return { status, body }
    const scopes = listAt(body, 'scopes').filter((scope) => typeof scope === 'string')
    return textAt(body, 'scope') === null && scopes.length > 0
      ? { status, body: { ...body, scope: scopes.join(' ') } }
      : { status, body }
  },
}
