import { ok } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { secured } from '../secured.ts'
import { atlassianOauth } from './atlassian-oauth.ts'
import { jiraIssues } from './issues.ts'

const sites = [
  { id: '1324a887-45db-1bf4-1e99-ef0ff456d421', name: 'example', url: 'https://example.atlassian.net' },
  { id: '55509f76-7b1d-4b8e-a3c6-9fa3cbbdfa3c', name: 'second', url: 'https://second.atlassian.net' },
]

export function atlassianEmulator(world: World): Emulator {
  const unauthorized = { status: 401, body: { code: 401, message: 'Unauthorized' } }
  const forbidden = () => ({ status: 403, body: { code: 403, message: 'Unauthorized; scope does not match' } })
  const api = secured(world, { unauthorized, forbidden })
  const jira = jiraIssues(world, api)
  /** How many sites the person lets the app see: with several, one is chosen afterwards. */
  let siteCount = 1
  return {
    name: 'atlassian',
    oauth: atlassianOauth,
    routes: {
      ...jira.routes,
      'GET api.atlassian.com/oauth/token/accessible-resources': api([], (_call, { scopes }) =>
        ok(sites.slice(0, siteCount).map((site) => ({ ...site, scopes, avatarUrl: `${site.url}/avatar.png` }))),
      ),
      'GET api.atlassian.com/me': api(['read:me', 'read:jira-user'], (_call, { person }) =>
        ok({ account_id: person.id, name: person.name, email: person.email, account_type: 'atlassian' }),
      ),
    },
    controls: {
      ...jira.controls,
      setSiteCount: ({ count }) => {
        siteCount = Number(count)
      },
    },
  }
}
