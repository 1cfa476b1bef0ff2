import assert from 'node:assert/strict'
import test from 'node:test'
import { featureNames, providerNames } from './provider.ts'
import { mappedUrl, requireApiUrl, requireLink } from './provider-endpoints.ts'
import { isGranted, providers, scopesFor } from './provider-table.ts'

const rows = providerNames.map((name) => providers[name])

test('each row names its sources, and all its addresses are https', () => {
  for (const row of rows) {
    assert.match(row.facts.checkedOn, /^\d{4}-\d{2}-\d{2}$/)
    assert.ok(row.facts.sources.length > 0, row.name)
    const revocation = row.revoke?.({ clientId: 'id', clientSecret: 'secret' }, { accessToken: 'a', refreshToken: 'r' })
    const addresses = [row.authorize.url, row.token.url, row.identity.request('token').url, revocation?.url]
    for (const address of addresses) assert.match(address ?? 'https://none/', /^https:\/\//)
  }
})

test('the question who the account is goes to a host of the API', () => {
  for (const row of rows) assert.ok(requireApiUrl(row, row.identity.request('token').url))
})

test('each feature is of two providers or fewer but tasks, and asks for the base scopes too', () => {
  const providersOf = Object.fromEntries(
    featureNames.map((feature) => [feature, rows.filter((row) => feature in row.scopes.features).map((it) => it.name)]),
  )
  assert.deepEqual(providersOf, {
    calendar: ['google', 'microsoft'],
    transcripts: ['microsoft', 'zoom'],
    post: ['microsoft', 'slack'],
    answer: ['microsoft', 'slack'],
    tasks: ['atlassian', 'github', 'linear'],
    export: ['google', 'notion'],
    import: ['google', 'notion'],
    crm: ['hubspot'],
    mail: ['google', 'microsoft'],
  })
  assert.deepEqual(scopesFor(providers.linear, ['tasks']), ['read', 'write'])
})

test('a feature is granted only with all its scopes', () => {
  assert.equal(isGranted(providers.github, 'tasks', ['repo']), false)
  assert.equal(isGranted(providers.github, 'tasks', ['repo', 'admin:repo_hook']), true)
  assert.equal(isGranted(providers.notion, 'export', []), true)
  assert.equal(isGranted(providers.notion, 'tasks', []), false)
})

test('links are taken on hosts of the row alone, and the token goes to its API alone', () => {
  assert.equal(requireLink(providers.github, 'https://github.com/a/b'), 'https://github.com/a/b')
  for (const link of [
    'https://api.github.com.example.com/',
    'https://api.github.com@example.com/',
    'https://api.github.com:8443/',
    'http://api.github.com/',
    'https://example.com/?https://api.github.com/',
    '//api.github.com/',
  ])
    assert.throws(() => requireLink(providers.github, link), { name: 'ForeignAddress' }, link)
  assert.throws(() => requireApiUrl(providers.github, 'https://github.com/a'), { name: 'ForeignAddress' })
})

test('an address of the operator gets host and path of the real one', () => {
  const endpoints = new Map([['github' as const, 'http://127.0.0.1:4010']])
  const url = 'https://api.github.com/user?page=2'
  assert.equal(mappedUrl(endpoints, 'github', url), 'http://127.0.0.1:4010/api.github.com/user?page=2')
  assert.equal(mappedUrl(endpoints, 'slack', 'https://slack.com/api/auth.test'), 'https://slack.com/api/auth.test')
})

test('odd answers become those of RFC 6749', () => {
  const { slack, github, linear, notion, google } = providers
  const slackRefusal = { status: 200, body: { ok: false, error: 'invalid_refresh_token' } }
  assert.equal(slack.toTokenAnswer(slackRefusal).status, 400)
  assert.equal(slack.toApiAnswer({ status: 200, body: { ok: false, error: 'token_revoked' } }).status, 401)
  assert.equal(slack.toApiAnswer({ status: 200, body: { ok: false, error: 'ratelimited' } }).status, 429)
  assert.equal(github.toTokenAnswer({ status: 200, body: { error: 'bad_refresh_token' } }).status, 400)
  assert.deepEqual(github.toTokenAnswer({ status: 200, body: { scope: 'repo,user' } }).body, { scope: 'repo user' })
  assert.deepEqual(linear.toTokenAnswer({ status: 200, body: { scope: ['read', 'write'] } }).body, {
    scope: 'read write',
  })
  assert.equal(linear.toApiAnswer({ status: 200, body: { errors: [{ message: 'no' }] } }).status, 400)
  assert.deepEqual(notion.toTokenAnswer({ status: 401, body: { code: 'unauthorized' } }).body, {
    code: 'unauthorized',
    error: 'unauthorized',
  })
  const userinfo = 'https://www.googleapis.com/auth/userinfo.email'
  assert.deepEqual(google.toTokenAnswer({ status: 200, body: { scope: `openid ${userinfo}` } }).body, {
    scope: 'openid email',
  })
})
