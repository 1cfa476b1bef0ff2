import { randomUUID } from 'node:crypto'
import type { OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

export const portalId = 62_515

/** https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens */
export const hubspotOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'app.hubspot.com/oauth/authorize',
  tokenAt: 'api.hubapi.com/oauth/2026-03/token',
  issuer: 'https://app.hubspot.com',
  accessSeconds: 1_800,
  rotation: 'kept',
  refreshSeconds: 10 * 365 * 86_400,
  people: peopleWith('123', '124'),
  toAnswer: (answer, { grant }) => {
    if (isError(answer))
      return withMembers(answer, { message: answer.body['error_description'], correlationId: randomUUID() })
    const { scopes, person } = grant ?? { scopes: [], person: null }
    return withMembers(answer, { token_type: 'bearer', scopes, hub_id: portalId, user_id: Number(person?.id) })
  },
  routes: (core) => ({ 'POST api.hubapi.com/oauth/2026-03/token/revoke': (call) => core.revocation(call) }),
}
