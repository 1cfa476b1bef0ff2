import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { type Consent, consent } from './consent.ts'
import { type ProviderName, providers } from './emulator.ts'
import { type Emulators, startEmulators } from './emulators.ts'

// What providers document, asked of the emulators by a client that is none of ours.

type Client = {
  authorize: string
  token: string
  scope: string
  whoami: string
  accountAt: (body: Record<string, unknown>) => unknown
  parameters?: Record<string, string>
  isBasic?: true
  isJson?: true
}

const data = (body: Record<string, unknown>) => (body['data'] as { viewer: { id: string } } | undefined)?.viewer.id

const clients: Record<ProviderName, Client> = {
  google: {
    authorize: 'accounts.google.com/o/oauth2/v2/auth',
    token: 'oauth2.googleapis.com/token',
    scope: 'openid email',
    whoami: 'openidconnect.googleapis.com/v1/userinfo',
    accountAt: (body) => body['sub'],
    parameters: { access_type: 'offline', prompt: 'consent' },
  },
  microsoft: {
    authorize: 'login.microsoftonline.com/organizations/oauth2/v2.0/authorize',
    token: 'login.microsoftonline.com/organizations/oauth2/v2.0/token',
    scope: 'openid offline_access User.Read',
    whoami: 'graph.microsoft.com/v1.0/me',
    accountAt: (body) => body['id'],
  },
  slack: {
    authorize: 'slack.com/oauth/v2/authorize',
    token: 'slack.com/api/oauth.v2.access',
    scope: 'chat:write,channels:history',
    whoami: 'slack.com/api/auth.test',
    accountAt: (body) => body['team_id'],
  },
  zoom: {
    authorize: 'zoom.us/oauth/authorize',
    token: 'zoom.us/oauth/token',
    scope: 'user:read:user',
    whoami: 'api.zoom.us/v2/users/me',
    accountAt: (body) => body['id'],
    isBasic: true,
  },
  atlassian: {
    authorize: 'auth.atlassian.com/authorize',
    token: 'auth.atlassian.com/oauth/token',
    scope: 'offline_access read:me',
    whoami: 'api.atlassian.com/me',
    accountAt: (body) => body['account_id'],
  },
  github: {
    authorize: 'github.com/login/oauth/authorize',
    token: 'github.com/login/oauth/access_token',
    scope: 'repo',
    whoami: 'api.github.com/user',
    accountAt: (body) => body['id'],
  },
  linear: {
    authorize: 'linear.app/oauth/authorize',
    token: 'api.linear.app/oauth/token',
    scope: 'read,write',
    whoami: 'api.linear.app/graphql',
    accountAt: data,
  },
  notion: {
    authorize: 'api.notion.com/v1/oauth/authorize',
    token: 'api.notion.com/v1/oauth/token',
    scope: '',
    whoami: 'api.notion.com/v1/users/me',
    accountAt: (body) => body['id'],
    isBasic: true,
    isJson: true,
  },
  hubspot: {
    authorize: 'app.hubspot.com/oauth/authorize',
    token: 'api.hubapi.com/oauth/2026-03/token',
    scope: 'oauth',
    whoami: 'api.hubapi.com/account-info/v3/details',
    accountAt: (body) => body['portalId'],
  },
}

const redirectUri = 'http://127.0.0.1:8080/callback'
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

let emulators: Emulators
before(async () => {
  emulators = await startEmulators()
})
afterEach(() => {
  for (const name of providers) emulators.setExpiringTokens(name, false)
})
after(() => emulators.close())

type Answer = { status: number; body: Record<string, unknown> }

function authorizeUrl(name: ProviderName, more: Record<string, string> = {}): string {
  const { authorize, scope, parameters } = clients[name]
  const query = new URLSearchParams({
    client_id: emulators.apps[name].clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'state-1',
    scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
    ...more,
  })
  return `${emulators.origin}/${authorize}?${query}`
}

async function token(name: ProviderName, fields: Record<string, string>, secret?: string): Promise<Answer> {
  const client = clients[name]
  const { clientId, clientSecret } = emulators.apps[name]
  const credentials = { client_id: clientId, client_secret: secret ?? clientSecret }
  const all = client.isBasic ? fields : { ...fields, ...credentials }
  const basic = Buffer.from(`${clientId}:${credentials.client_secret}`).toString('base64')
  const response = await fetch(`${emulators.origin}/${client.token}`, {
    method: 'POST',
    headers: {
      'content-type': client.isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(client.isBasic && { authorization: `Basic ${basic}` }),
    },
    body: client.isJson ? JSON.stringify(all) : new URLSearchParams(all).toString(),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

async function connect(name: ProviderName, choice?: Consent): Promise<Record<string, string>> {
  const redirect = await consent(authorizeUrl(name), choice)
  const code = redirect.searchParams.get('code') ?? ''
  const { body } = await exchange(name, code)
  return body as Record<string, string>
}

const exchange = (name: ProviderName, code: string, more: Record<string, string> = {}) =>
  token(name, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...more })

const refresh = (name: ProviderName, refreshToken: string | undefined) =>
  token(name, { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' })

async function account(name: ProviderName, accessToken: string | undefined): Promise<unknown> {
  const isGraphql = name === 'linear'
  const response = await fetch(`${emulators.origin}/${clients[name].whoami}`, {
    method: isGraphql ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${accessToken}`, 'notion-version': '2025-09-03' },
    ...(isGraphql && { body: JSON.stringify({ query: '{ viewer { id } }' }) }),
  })
  return clients[name].accountAt((await response.json()) as Record<string, unknown>)
}

const isRefused = ({ status, body }: Answer) => status >= 400 || body['error'] !== undefined

for (const name of providers) {
  test(`${name}: a code becomes a token that works, once, until it is revoked outside`, async () => {
    const redirect = await consent(authorizeUrl(name))
    assert.equal(redirect.searchParams.get('state'), 'state-1')
    const code = redirect.searchParams.get('code') ?? ''
    const first = await exchange(name, code)
    assert.equal(isRefused(first), false, JSON.stringify(first))
    const accessToken = String(first.body['access_token'])
    assert.notEqual(await account(name, accessToken), undefined)
    emulators.revokeOutside(name)
    assert.equal(await account(name, accessToken), undefined)
    assert.equal(isRefused(await exchange(name, code)), true)
  })

  test(`${name}: a used code, a wrong verifier, a wrong secret and a wrong redirect address are refused`, async () => {
    const code = async () => (await consent(authorizeUrl(name))).searchParams.get('code') ?? ''
    const used = await code()
    await exchange(name, used)
    assert.equal(isRefused(await exchange(name, used)), true)
    assert.equal(isRefused(await exchange(name, await code(), { code_verifier: 'x'.repeat(43) })), true)
    assert.equal(isRefused(await exchange(name, await code(), { redirect_uri: `${redirectUri}/other` })), true)
    const fields = {
      grant_type: 'authorization_code',
      code: await code(),
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    assert.equal(isRefused(await token(name, fields, 'wrong')), true)
  })

  test(`${name}: whoever denies comes back with access_denied and without a code`, async () => {
    const { searchParams } = await consent(authorizeUrl(name), { decision: 'deny' })
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('code'), null)
  })
}

for (const name of ['zoom', 'atlassian', 'slack', 'github'] as const) {
  test(`${name}: a refresh token works once`, async () => {
    emulators.setExpiringTokens(name, true)
    const first = await connect(name)
    const second = await refresh(name, first['refresh_token'])
    assert.equal(isRefused(second), false, JSON.stringify(second))
    assert.equal(isRefused(await refresh(name, first['refresh_token'])), true)
  })
}

for (const name of ['zoom', 'atlassian'] as const) {
  test(`${name}: the second use of a refresh token ends the grant`, async () => {
    const first = await connect(name)
    const second = await refresh(name, first['refresh_token'])
    await refresh(name, first['refresh_token'])
    assert.equal(await account(name, String(second.body['access_token'])), undefined)
    assert.equal(isRefused(await refresh(name, String(second.body['refresh_token']))), true)
  })
}

for (const name of ['google', 'microsoft', 'hubspot', 'linear', 'notion'] as const) {
  test(`${name}: the earlier refresh token works on for a while`, async () => {
    const first = await connect(name)
    assert.equal(isRefused(await refresh(name, first['refresh_token'])), false)
    assert.equal(isRefused(await refresh(name, first['refresh_token'])), false)
  })
}

test('linear: half an hour after its use an earlier refresh token is refused', async () => {
  const first = await connect('linear')
  await refresh('linear', first['refresh_token'])
  emulators.clock.advance(1_801)
  assert.equal(isRefused(await refresh('linear', first['refresh_token'])), true)
})

test('tokens end when the clock has passed their time', async () => {
  const { access_token: accessToken } = await connect('hubspot')
  emulators.clock.advance(1_801)
  assert.equal(await account('hubspot', accessToken), undefined)
})

test('slack and github give tokens without an end, unless the app has them expire', async () => {
  for (const name of ['slack', 'github'] as const) {
    const endless = await connect(name)
    assert.equal(endless['refresh_token'], undefined)
    assert.equal(endless['expires_in'], undefined)
    emulators.setExpiringTokens(name, true)
    const ending = await connect(name)
    assert.equal(typeof ending['refresh_token'], 'string')
    assert.equal(typeof ending['expires_in'], 'number')
  }
})

test('slack and github answer refusals with 200, atlassian calls a wrong secret access_denied', async () => {
  assert.deepEqual(await refresh('slack', 'none'), { status: 200, body: { ok: false, error: 'invalid_refresh_token' } })
  const github = await refresh('github', 'none')
  assert.deepEqual([github.status, github.body['error']], [200, 'bad_refresh_token'])
  const atlassian = await token('atlassian', { grant_type: 'refresh_token', refresh_token: 'none' }, 'wrong')
  assert.equal(atlassian.body['error'], 'access_denied')
  assert.equal((await refresh('atlassian', 'none')).body['error'], 'unauthorized_client')
})

test('people sign in with another account, and grant fewer scopes', async () => {
  const other = '110248495921238986421'
  const granted = await connect('google', { account: other, scopes: ['openid'] })
  assert.equal(await account('google', granted['access_token']), other)
  assert.equal(granted['scope'], 'openid')
})

test('google sends its issuer, and no refresh token where offline access was not asked for', async () => {
  const redirect = await consent(authorizeUrl('google', { prompt: 'none' }))
  assert.equal(redirect.searchParams.get('iss'), 'https://accounts.google.com')
  const { body } = await exchange('google', redirect.searchParams.get('code') ?? '')
  assert.equal(body['refresh_token'], undefined)
})

test('faults: an answer is replaced, delayed or lost before or after its effect, as often as asked', async () => {
  emulators.journal.clear()
  emulators.faults.add({ provider: 'zoom', path: '/users/me', status: 503, times: 2 })
  const ask = () => fetch(`${emulators.origin}/${clients.zoom.whoami}`)
  assert.deepEqual([(await ask()).status, (await ask()).status, (await ask()).status], [503, 503, 401])
  const { refresh_token: refreshToken } = await connect('zoom')
  emulators.faults.add({ provider: 'zoom', path: '/oauth/token', lost: 'before' })
  await assert.rejects(refresh('zoom', refreshToken))
  emulators.faults.add({ provider: 'zoom', path: '/oauth/token', lost: 'after' })
  await assert.rejects(refresh('zoom', refreshToken))
  assert.equal(isRefused(await refresh('zoom', refreshToken)), true)
  const statuses = emulators.journal.entries({ provider: 'zoom', path: 'users/me' }).map(({ status }) => status)
  assert.deepEqual(statuses, [503, 503, 401])
  assert.deepEqual(
    emulators.journal.entries({ path: 'zoom.us/oauth/token' }).map(({ lost, body }) => [lost, body]),
    [
      [null, null],
      ['before', null],
      ['after', null],
      [null, null],
    ],
  )
})
