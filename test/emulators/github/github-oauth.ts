import { jsonOf } from '../call.ts'
import { credentialsOf, type OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers, without } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps. Errors are 200 with `error`. */
export const githubOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'github.com/login/oauth/authorize',
  tokenAt: 'github.com/login/oauth/access_token',
  issuer: 'https://github.com/login/oauth',
  // Tokens of an app without "expire user authorization tokens" never end.
  accessSeconds: null,
  expiringAccessSeconds: 28_800,
  refreshSeconds: 15_897_600,
  reuseEndsGrant: false,
  people: peopleWith('583231', '583232'),
  toRequest: (call) => {
    const form = new URLSearchParams(call.text)
    if (!form.has('grant_type')) form.set('grant_type', 'authorization_code')
    return { ...call, text: form.toString() }
  },
  toAnswer: (answer, { grant, isRefresh }) => {
    if (isError(answer)) return { status: 200, body: describe(String(answer.body['error']), isRefresh) }
    const whole = withMembers(answer, { token_type: 'bearer', scope: grant?.scopes.join(',') })
    if (answer.body['refresh_token'] === undefined) return without(whole, 'expires_in')
    return withMembers(whole, { refresh_token_expires_in: 15_897_600 })
  },
  routes: (core) => ({
    'DELETE api.github.com/applications/:clientId/grant': (call) => {
      const { clientId, secret } = credentialsOf(call)
      const isApp = clientId === call.params['clientId'] && core.isClient(clientId, secret)
      if (!isApp) return { status: 401, body: { message: 'Bad credentials' } }
      const isKnown = core.revokeToken(String(jsonOf(call)['access_token'] ?? ''))
      return isKnown ? { status: 204 } : { status: 404, body: { message: 'Not Found' } }
    },
  }),
}

function describe(error: string, isRefresh: boolean): Record<string, string> {
  if (error === 'invalid_client')
    return {
      error: 'incorrect_client_credentials',
      error_description: 'The client_id and/or client_secret passed are incorrect.',
    }
  if (error === 'invalid_grant' && isRefresh)
    return { error: 'bad_refresh_token', error_description: 'The refresh token passed is incorrect or expired.' }
  if (error === 'invalid_grant')
    return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
  return { error: 'unsupported_grant_type', error_description: 'The request is malformed.' }
}
