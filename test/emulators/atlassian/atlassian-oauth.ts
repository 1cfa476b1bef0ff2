import type { OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

/** https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/. Nothing revokes a grant but its person. */
export const atlassianOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'auth.atlassian.com/authorize',
  tokenAt: 'auth.atlassian.com/oauth/token',
  issuer: 'https://auth.atlassian.com',
  isOffline: (grant) => grant.scopes.includes('offline_access'),
  people: peopleWith('5b10a2844c20165700ede21g', '5b10ac8d82e05b22cc7d4ef5'),
  // Requests may be forms or JSON.
  toRequest: (call) => {
    if (!call.headers['content-type']?.startsWith('application/json')) return call
    return { ...call, text: new URLSearchParams(JSON.parse(call.text)).toString() }
  },
  toAnswer: (answer, { grant, isRefresh }) => {
    if (!isError(answer)) return withMembers(answer, { scope: grant?.scopes.join(' ') })
    if (answer.body['error'] === 'invalid_client')
      return { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } }
    if (isRefresh && answer.body['error'] === 'invalid_grant')
      return { status: 403, body: { error: 'unauthorized_client', error_description: 'refresh_token is invalid' } }
    return answer
  },
}
