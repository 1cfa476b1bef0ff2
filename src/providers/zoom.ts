import { textAt } from './answer-fields.ts'
import { basic, bearerRequest, formRevocation, ordinary, type ProviderRow } from './provider.ts'

export const zoom: ProviderRow = {
  ...ordinary,
  name: 'zoom',
  title: 'Zoom',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://developers.zoom.us/docs/integrations/oauth/',
      'https://developers.zoom.us/docs/integrations/oauth-scopes-granular/',
    ],
  },
  authorize: {
    url: 'https://zoom.us/oauth/authorize',
    params: {},
    scopeParam: 'scope',
    scopeSeparator: ' ',
    pkce: 'S256',
  },
  token: {
    url: 'https://zoom.us/oauth/token',
    clientAuthentication: 'basic',
    bodyType: 'form',
    headers: {},
    // Single use, 90 days.
    rotation: 'always',
    hasGrace: false,
  },
  deadGrantWords: ['invalid_grant'],
  scopes: {
    base: ['user:read:user'],
    features: {
      transcripts: ['cloud_recording:read:list_user_recordings', 'cloud_recording:read:list_recording_files'],
    },
  },
  apiHosts: ['api.zoom.us'],
  // Accounts have hosts of their own, and downloads are redirected to others.
  linkHosts: ['zoom.us', '*.zoom.us'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, 'https://api.zoom.us/v2/users/me'),
    read: (answer) => {
      const id = textAt(answer, 'id')
      return id === null ? null : { account: { id, name: textAt(answer, 'email') ?? id } }
    },
  },
  revoke: (client, { accessToken }) =>
    formRevocation('https://zoom.us/oauth/revoke', { token: accessToken }, basic(client)),
  isRevokedByAccessToken: true,
}
