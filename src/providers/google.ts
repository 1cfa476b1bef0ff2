import { textAt } from './answer-fields.ts'
import { bearerRequest, formRevocation, ordinary, type ProviderRow } from './provider.ts'

export const google: ProviderRow = {
  ...ordinary,
  name: 'google',
  title: 'Google',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://developers.google.com/identity/protocols/oauth2/web-server',
      'https://developers.google.com/identity/protocols/oauth2/scopes',
      'https://developers.google.com/workspace/drive/api/guides/manage-uploads',
    ],
  },
  authorize: {
    url: 'https://accounts.google.com/o/oauth2/v2/auth',
    // Without both there is no refresh token.
    params: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'false' },
    scopeParam: 'scope',
    scopeSeparator: ' ',
    pkce: 'S256',
  },
  isIssuer: (issuer) => issuer === 'https://accounts.google.com',
  token: {
    url: 'https://oauth2.googleapis.com/token',
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: {},
    rotation: 'never',
    hasGrace: true,
  },
  deadGrantWords: ['invalid_grant'],
  scopes: {
    base: ['openid', 'email'],
    features: {
      calendar: [
        'https://www.googleapis.com/auth/calendar.events.readonly',
        'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
      ],
      export: ['https://www.googleapis.com/auth/drive.file'],
      import: ['https://www.googleapis.com/auth/drive.readonly'],
      mail: ['https://mail.google.com/'],
    },
  },
  apiHosts: ['www.googleapis.com', 'openidconnect.googleapis.com'],
  linkHosts: ['docs.google.com', 'drive.google.com'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, 'https://openidconnect.googleapis.com/v1/userinfo'),
    read: (answer) => {
      const id = textAt(answer, 'sub')
      return id === null ? null : { account: { id, name: textAt(answer, 'email') ?? id } }
    },
  },
  revoke: (_client, { accessToken, refreshToken }) =>
    formRevocation('https://oauth2.googleapis.com/revoke', { token: refreshToken ?? accessToken }),
  // `openid` and `email` come back as addresses.
  toTokenAnswer: ({ status, body }) => ({ status, body: withShortScopes(body) }),
}

function withShortScopes(body: unknown): unknown {
  const scope = textAt(body, 'scope')
  if (scope === null) return body
  const short = scope.split(' ').map((it) => (it === 'https://www.googleapis.com/auth/userinfo.email' ? 'email' : it))
  return { ...(body as object), scope: short.join(' ') }
}
