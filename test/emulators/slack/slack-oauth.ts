import type { OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers, without } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

export const team = { id: 'T0EMULATOR', name: 'Example' }
export const botUserId = 'U0BOT'

/** https://docs.slack.dev/authentication/using-token-rotation. Errors are 200 with `ok: false`. */
export const slackOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'slack.com/oauth/v2/authorize',
  tokenAt: 'slack.com/api/oauth.v2.access',
  issuer: 'https://slack.com',
  // Without token rotation, which the app's owner switches on, tokens never end.
  accessSeconds: null,
  expiringAccessSeconds: 43_200,
  reuseEndsGrant: false,
  scopeSeparator: ',',
  people: peopleWith('U0ADA', 'U0BEN'),
  // `grant_type` may be left out when a code is exchanged.
  toRequest: (call) => {
    const form = new URLSearchParams(call.text)
    if (!form.has('grant_type')) form.set('grant_type', 'authorization_code')
    return { ...call, text: form.toString() }
  },
  toAnswer: (answer, { grant, isRefresh }) => {
    if (isError(answer))
      return { status: 200, body: { ok: false, error: wordOf(String(answer.body['error']), isRefresh) } }
    const whole = withMembers(answer, {
      ok: true,
      token_type: 'bot',
      scope: grant?.scopes.join(','),
      bot_user_id: botUserId,
      app_id: 'A0EMULATOR',
      team,
      enterprise: null,
      authed_user: { id: grant?.person.id },
    })
    return answer.body['refresh_token'] === undefined ? without(whole, 'expires_in') : whole
  },
}

function wordOf(error: string, isRefresh: boolean): string {
  if (error === 'invalid_client') return 'bad_client_secret'
  if (error === 'invalid_grant') return isRefresh ? 'invalid_refresh_token' : 'invalid_code'
  return 'invalid_arguments'
}
