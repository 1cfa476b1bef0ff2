import { ok } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { graphCalendar } from './calendar.ts'
import { graphError } from './graph-error.ts'
import { microsoftOauth } from './microsoft-oauth.ts'
import { graphSubscriptions } from './subscriptions.ts'
import { teams } from './teams.ts'

export function microsoftEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: graphError(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.'),
    forbidden: (scope) => graphError(403, 'Forbidden', `Missing scope permissions. API requires ${scope}.`),
  })
  const subscriptions = graphSubscriptions(world, api)
  const calendar = graphCalendar(world, api, subscriptions.notify)
  const channels = teams(world, api, subscriptions.notify)
  return {
    name: 'microsoft',
    oauth: microsoftOauth,
    routes: {
      'GET graph.microsoft.com/v1.0/me': api(['User.Read'], (_call, { person }) =>
        ok({ id: person.id, displayName: person.name, userPrincipalName: person.email, mail: person.email }),
      ),
      ...calendar.routes,
      ...subscriptions.routes,
      ...channels.routes,
    },
    controls: { ...calendar.controls, ...subscriptions.controls, ...channels.controls },
  }
}
