import type { OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

/** https://linear.app/developers/oauth-2-0-authentication */
export const linearOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'linear.app/oauth/authorize',
  tokenAt: 'api.linear.app/oauth/token',
  issuer: 'https://linear.app',
  accessSeconds: 86_399,
  graceSeconds: 1_800,
  scopeSeparator: ',',
  people: peopleWith('b54a2b5e-3d9a-4b43-9d3f-2a9a5f6f9c11', 'f1f3d7a4-5c67-4d36-8f0a-6c0d0a9d2b22'),
  toAnswer: (answer, { grant }) => (isError(answer) ? answer : withMembers(answer, { scope: grant?.scopes.join(' ') })),
  routes: (core) => ({ 'POST api.linear.app/oauth/revoke': (call) => core.revocation(call) }),
}
