import { formOf } from '../call.ts'
import type { OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

export const directoryId = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'

/** Of no resource, so that answers do not list them. */
const unlisted = ['openid', 'offline_access', 'profile', 'email']

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow. Nothing revokes a single grant. */
export const microsoftOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'login.microsoftonline.com/:directory/oauth2/v2.0/authorize',
  tokenAt: 'login.microsoftonline.com/:directory/oauth2/v2.0/token',
  issuer: `https://login.microsoftonline.com/${directoryId}/v2.0`,
  // A used refresh token works on until its own end.
  graceSeconds: 90 * 86_400,
  isOffline: (grant) => grant.scopes.includes('offline_access'),
  people: peopleWith('87d349ed-44d7-43e1-9a83-5f2406dee5bd', '5bde3e51-d13b-4db1-9948-fe4b109d11a7'),
  // One token is for one resource: a refresh names the scopes of the one that it wants.
  toRequest: (call) => {
    const form = formOf(call)
    form.delete('scope')
    return { ...call, text: form.toString() }
  },
  toAnswer: (answer, { grant }) => {
    if (isError(answer)) return withMembers(answer, describe(String(answer.body['error'])))
    const scopes = (grant?.scopes ?? []).filter((scope) => !unlisted.includes(scope))
    return withMembers(answer, { scope: scopes.join(' '), ext_expires_in: answer.body['expires_in'] })
  },
}

function describe(error: string): Record<string, unknown> {
  const [code, text] = {
    invalid_grant: [
      50173,
      'The provided grant has expired due to it being revoked, a fresh auth token is needed.',
    ] as const,
    invalid_client: [7000215, 'Invalid client secret provided.'] as const,
  }[error] ?? [900144, 'The request is malformed.']
  return { error_description: `AADSTS${code}: ${text}`, error_codes: [code] }
}
