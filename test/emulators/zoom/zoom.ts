import { ok, type Reply } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { zoomRecordings } from './recordings.ts'
import { zoomOauth } from './zoom-oauth.ts'

function zoomError(status: number, code: number, message: string): Reply {
  return { status, body: { code, message } }
}

export function zoomEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: zoomError(401, 124, 'Invalid access token.'),
    forbidden: (scope) => zoomError(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`),
  })
  const recordings = zoomRecordings(world, api)
  return {
    name: 'zoom',
    oauth: zoomOauth,
    routes: {
      ...recordings.routes,
      'GET api.zoom.us/v2/users/me': api(['user:read:user', 'user:read'], (_call, { person }) =>
        ok({ id: person.id, email: person.email, display_name: person.name, account_id: 'EmulatorAccount', type: 2 }),
      ),
    },
    controls: recordings.controls,
  }
}
