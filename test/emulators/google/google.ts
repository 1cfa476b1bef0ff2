import { ok } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { googleCalendar } from './calendar.ts'
import { googleDrive } from './drive.ts'
import { googleError } from './google-error.ts'
import { googleOauth } from './google-oauth.ts'

export function googleEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: googleError(401, 'authError', 'Invalid Credentials'),
    forbidden: () => googleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.'),
  })
  const userinfo = api(['openid', 'email'], (_call, { person }) =>
    ok({ sub: person.id, name: person.name, email: person.email, email_verified: true }),
  )
  const calendar = googleCalendar(world, api)
  const drive = googleDrive(world, api)
  return {
    name: 'google',
    oauth: googleOauth,
    routes: {
      ...calendar.routes,
      ...drive.routes,
      'GET openidconnect.googleapis.com/v1/userinfo': userinfo,
      'GET www.googleapis.com/oauth2/v3/userinfo': userinfo,
    },
    controls: { ...calendar.controls, ...drive.controls },
  }
}
