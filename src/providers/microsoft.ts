import { textAt } from './answer-fields.ts'
import { bearerRequest, ordinary, type ProviderRow } from './provider.ts'

export const graphApi = 'https://graph.microsoft.com/v1.0'

/** The directory that an app without the setting `directory` asks: work and school accounts of any. */
export const anyDirectory = 'organizations'

export const microsoft: ProviderRow = {
  ...ordinary,
  name: 'microsoft',
  title: 'Microsoft 365',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow',
      'https://learn.microsoft.com/entra/identity-platform/refresh-tokens',
      'https://learn.microsoft.com/graph/api/chatmessage-post',
    ],
  },
  authorize: {
    url: `https://login.microsoftonline.com/${anyDirectory}/oauth2/v2.0/authorize`,
    params: { response_mode: 'query' },
    scopeParam: 'scope',
    scopeSeparator: ' ',
    pkce: 'S256',
  },
  // The issuer names the directory of the account, which is not known before.
  isIssuer: (issuer) => /^https:\/\/login\.microsoftonline\.com\/[\w.-]{1,100}\/v2\.0$/.test(issuer),
  token: {
    url: `https://login.microsoftonline.com/${anyDirectory}/oauth2/v2.0/token`,
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: {},
    rotation: 'always',
    hasGrace: true,
  },
  deadGrantWords: ['invalid_grant', 'interaction_required'],
  scopes: {
    base: ['openid', 'offline_access', 'User.Read'],
    features: {
      calendar: ['Calendars.Read'],
      transcripts: ['OnlineMeetings.Read', 'OnlineMeetingTranscript.Read.All'],
      post: ['ChannelMessage.Send'],
      answer: ['ChannelMessage.Send', 'Chat.ReadWrite'],
      mail: ['https://outlook.office.com/SMTP.Send', 'https://outlook.office.com/IMAP.AccessAsUser.All'],
    },
  },
  // A token answer lists the scopes of one resource. These belong to none, or to Outlook.
  unlistedScopes: [
    'openid',
    'offline_access',
    'https://outlook.office.com/SMTP.Send',
    'https://outlook.office.com/IMAP.AccessAsUser.All',
  ],
  apiHosts: ['graph.microsoft.com'],
  linkHosts: ['teams.microsoft.com'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, `${graphApi}/me`),
    read: (answer) => {
      const id = textAt(answer, 'id')
      const name = textAt(answer, 'userPrincipalName') ?? textAt(answer, 'displayName')
      return id === null ? null : { account: { id, name: name ?? id } }
    },
  },
  // Only all sessions of the user could be ended, which belong to the user.
  revoke: null,
  toTokenAnswer: ({ status, body }) => ({ status, body: withShortScopes(body) }),
}

/** Graph may answer with the address of a scope instead of its name. */
function withShortScopes(body: unknown): unknown {
  const scope = textAt(body, 'scope')
  if (scope === null) return body
  const short = scope.split(' ').map((it) => it.replace('https://graph.microsoft.com/', ''))
  return { ...(body as object), scope: short.join(' ') }
}
