import { ok, type Reply } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { hubspotOauth, portalId } from './hubspot-oauth.ts'
import { hubspotObjects } from './objects.ts'

function hubspotError(status: number, category: string, message: string): Reply {
  return { status, body: { status: 'error', message, category, correlationId: `emulator-${status}` } }
}

export function hubspotEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: hubspotError(401, 'EXPIRED_AUTHENTICATION', 'The OAuth token used to make this call expired.'),
    forbidden: (scope) => hubspotError(403, 'MISSING_SCOPES', `This call requires the scope ${scope}.`),
  })
  const objects = hubspotObjects(world, api)
  return {
    name: 'hubspot',
    oauth: hubspotOauth,
    routes: {
      ...objects.routes,
      'GET api.hubapi.com/account-info/v3/details': api(['oauth'], () =>
        ok({ portalId, accountType: 'STANDARD', timeZone: 'UTC', companyCurrency: 'EUR', uiDomain: 'app.hubspot.com' }),
      ),
    },
    controls: objects.controls,
  }
}
