import { formOf, type Handler } from '../call.ts'
import type { Grant, OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers, without } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

const emailScope = 'https://www.googleapis.com/auth/userinfo.email'

/** https://developers.google.com/identity/protocols/oauth2/web-server */
export const googleOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'accounts.google.com/o/oauth2/v2/auth',
  tokenAt: 'oauth2.googleapis.com/token',
  issuer: 'https://accounts.google.com',
  sendsIssuer: true,
  rotation: 'kept',
  // Six months without use.
  refreshSeconds: 182 * 86_400,
  isOffline: isOfflineRequest,
  people: peopleWith('110248495921238986420', '110248495921238986421'),
  toAnswer: (answer, { grant, isRefresh }) => {
    if (isError(answer)) {
      const description = 'Token has been expired or revoked.'
      return answer.body['error'] === 'invalid_grant' ? withMembers(answer, { error_description: description }) : answer
    }
    const scopes = (grant?.scopes ?? []).map((scope) => (scope === 'email' ? emailScope : scope))
    const named = withMembers(answer, { scope: scopes.join(' '), expires_in: 3599 })
    return isRefresh ? without(named, 'refresh_token') : named
  },
  // Any token of the grant, without the client's credentials.
  routes: (core) => {
    const revoke: Handler = (call) => {
      const token = formOf(call).get('token') ?? call.query.get('token') ?? ''
      if (core.revokeToken(token)) return { status: 200, body: {} }
      return { status: 400, body: { error: 'invalid_token', error_description: 'Token expired or revoked' } }
    }
    return { 'POST oauth2.googleapis.com/revoke': revoke }
  },
}

/** Without both parameters, a person who allowed the app before gives no second refresh token. */
function isOfflineRequest({ asked }: Grant): boolean {
  return asked['access_type'] === 'offline' && asked['prompt'] === 'consent'
}
