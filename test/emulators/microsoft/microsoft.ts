import { ok, type Reply } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { microsoftOauth } from './microsoft-oauth.ts'

function graphError(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message, innerError: {} } } }
}

export function microsoftEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: graphError(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.'),
    forbidden: (scope) => graphError(403, 'Forbidden', `Missing scope permissions. API requires ${scope}.`),
  })
  return {
    name: 'microsoft',
    oauth: microsoftOauth,
    routes: {
      'GET graph.microsoft.com/v1.0/me': api(['User.Read'], (_call, { person }) =>
        ok({ id: person.id, displayName: person.name, userPrincipalName: person.email, mail: person.email }),
      ),
    },
    controls: {},
  }
}
