import type { OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

/** https://developers.zoom.us/docs/integrations/oauth/ */
export const zoomOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'zoom.us/oauth/authorize',
  tokenAt: 'zoom.us/oauth/token',
  issuer: 'https://zoom.us',
  clientAuthentication: 'client_secret_basic',
  codeSeconds: 300,
  people: peopleWith('KdYKjnimT4KPd8FFgQt9FQ', 'z8yCxjabcdEFGHfp8uQ1aa'),
  toAnswer: (answer, { grant }) => {
    if (!isError(answer))
      return withMembers(answer, {
        token_type: 'bearer',
        scope: grant?.scopes.join(' '),
        api_url: 'https://api.zoom.us',
      })
    const reason = answer.body['error'] === 'invalid_client' ? 'Invalid client_id or client_secret' : 'Invalid Token!'
    return { status: answer.status, body: { reason, error: answer.body['error'] } }
  },
  routes: (core) => ({
    'POST zoom.us/oauth/revoke': async (call) => {
      const { status, body } = await core.revocation(call)
      return status === 200 ? { status, body: { status: 'success' } } : { status, body }
    },
  }),
}
