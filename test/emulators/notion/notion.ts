import { type Call, ok, type Reply } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import type { Grant } from '../oauth/grant.ts'
import { secured } from '../secured.ts'
import { botId, notionOauth, workspace } from './notion-oauth.ts'
import { notionPages } from './pages.ts'

function notionError(status: number, code: string, message: string): Reply {
  return { status, body: { object: 'error', status, code, message } }
}

export function notionEmulator(world: World): Emulator {
  const authorized = secured(world, { unauthorized: notionError(401, 'unauthorized', 'API token is invalid.') })
  const api = (handle: (call: Call, grant: Grant) => Reply) =>
    authorized([], (call, grant) => {
      if (call.headers['notion-version'] === undefined)
        return notionError(400, 'missing_version', 'Notion-Version header should be defined.')
      return handle(call, grant)
    })
  const pages = notionPages(world, api)
  return {
    name: 'notion',
    oauth: notionOauth,
    routes: {
      ...pages.routes,
      'GET api.notion.com/v1/users/me': api((_call, { person }) => {
        const owner = { type: 'user', user: { object: 'user', id: person.id, type: 'person', name: person.name } }
        const bot = { owner, workspace_id: workspace.id, workspace_name: workspace.name }
        return ok({ object: 'user', id: botId, type: 'bot', name: 'Atrium', avatar_url: null, bot })
      }),
    },
    controls: pages.controls,
  }
}
