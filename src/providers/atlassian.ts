import { textAt } from './answer-fields.ts'
import { bearerRequest, ordinary, type ProviderRow } from './provider.ts'

export const atlassian: ProviderRow = {
  ...ordinary,
  name: 'atlassian',
  title: 'Jira',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
      'https://developer.atlassian.com/cloud/oauth/getting-started/refresh-tokens/',
    ],
  },
  authorize: {
    url: 'https://auth.atlassian.com/authorize',
    params: { audience: 'api.atlassian.com', prompt: 'consent' },
    scopeParam: 'scope',
    scopeSeparator: ' ',
    pkce: null,
  },
  token: {
    url: 'https://auth.atlassian.com/oauth/token',
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: {},
    // 90 days idle.
    rotation: 'always',
    hasGrace: false,
  },
  // `access_denied` is missing on purpose: it is the answer to a wrong client secret.
  deadGrantWords: ['invalid_grant', 'unauthorized_client'],
  scopes: {
    base: ['offline_access'],
    features: { tasks: ['read:jira-work', 'write:jira-work', 'read:jira-user', 'manage:jira-webhook'] },
  },
  unlistedScopes: ['offline_access'],
  apiHosts: ['api.atlassian.com'],
  identity: {
    request: (accessToken) => bearerRequest(accessToken, 'https://api.atlassian.com/oauth/token/accessible-resources'),
    read: (answer) => {
      if (!Array.isArray(answer)) return null
      const sites = answer.flatMap((site) => {
        const id = textAt(site, 'id')
        return id === null ? [] : [{ id, name: textAt(site, 'name') ?? id }]
      })
      const [first] = sites
      if (first === undefined) return null
      return sites.length === 1 ? { account: first } : { choices: sites }
    },
  },
  revoke: null,
}
