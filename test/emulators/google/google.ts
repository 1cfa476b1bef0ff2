import { ok, type Reply } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { googleOauth } from './google-oauth.ts'

function googleError(code: number, reason: string, message: string): Reply {
  return { status: code, body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } } }
}

export function googleEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: googleError(401, 'authError', 'Invalid Credentials'),
    forbidden: () => googleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.'),
  })
  const userinfo = api(['openid', 'email'], (_call, { person }) =>
    ok({ sub: person.id, name: person.name, email: person.email, email_verified: true }),
  )
  return {
    name: 'google',
    oauth: googleOauth,
    routes: {
      'GET openidconnect.googleapis.com/v1/userinfo': userinfo,
      'GET www.googleapis.com/oauth2/v3/userinfo': userinfo,
    },
    controls: {},
  }
}
