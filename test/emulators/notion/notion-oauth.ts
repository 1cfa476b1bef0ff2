import { randomUUID } from 'node:crypto'
import { jsonOf } from '../call.ts'
import { credentialsOf, type OauthBehaviour } from '../oauth/grant.ts'
import { isError, ordinary, withMembers, without } from '../oauth/ordinary.ts'
import { peopleWith } from '../people.ts'

export const workspace = { id: '17ab3186-873d-418f-b899-c3f6a43f68de', name: 'Example Workspace' }
export const botId = 'b3414d65-1a33-4a3e-8f8d-8f7e2b8c1a55'

/** https://developers.notion.com/guides/get-started/authorization. JSON with Basic; no scopes, no `expires_in`. */
export const notionOauth: OauthBehaviour = {
  ...ordinary,
  authorizeAt: 'api.notion.com/v1/oauth/authorize',
  tokenAt: 'api.notion.com/v1/oauth/token',
  issuer: 'https://api.notion.com',
  clientAuthentication: 'client_secret_basic',
  graceSeconds: 600,
  hasScopes: false,
  people: peopleWith('6794760a-1f15-45cd-9c65-0dfe42f5135a', '92a680bb-6970-4726-952b-4f4c03bff617'),
  toRequest: (call) => {
    const isJson = call.headers['content-type']?.startsWith('application/json') === true
    return { ...call, text: isJson ? new URLSearchParams(JSON.parse(call.text)).toString() : '' }
  },
  toAnswer: (answer, { grant }) => {
    const requestId = randomUUID()
    if (isError(answer)) return withMembers(answer, { request_id: requestId })
    return withMembers(without(answer, 'expires_in', 'scope'), {
      token_type: 'bearer',
      bot_id: botId,
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      workspace_icon: null,
      duplicated_template_id: null,
      owner: { type: 'user', user: { object: 'user', id: grant?.person.id, type: 'person', name: grant?.person.name } },
      request_id: requestId,
    })
  },
  routes: (core) => ({
    'POST api.notion.com/v1/oauth/revoke': (call) => {
      const { clientId, secret } = credentialsOf(call)
      if (!core.isClient(clientId, secret)) return { status: 401, body: { error: 'invalid_client' } }
      core.revokeToken(String(jsonOf(call)['token'] ?? ''))
      return { status: 200, body: { request_id: randomUUID() } }
    },
  }),
}
