import { ok } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { githubOauth } from './github-oauth.ts'
import { githubIssues, logins } from './issues.ts'

export function githubEmulator(world: World): Emulator {
  const unauthorized = { status: 401, body: { message: 'Bad credentials', status: '401' } }
  const forbidden = () => ({ status: 403, body: { message: 'Resource not accessible by integration', status: '403' } })
  const api = secured(world, { unauthorized, forbidden })
  const issues = githubIssues(world, api)
  return {
    name: 'github',
    oauth: githubOauth,
    routes: {
      'GET api.github.com/user': api([], (_call, { person, scopes }) =>
        ok(
          { id: Number(person.id), login: logins[person.id], name: person.name, email: person.email, type: 'User' },
          { 'x-oauth-scopes': scopes.join(', ') },
        ),
      ),
      ...issues.routes,
    },
    controls: issues.controls,
  }
}
