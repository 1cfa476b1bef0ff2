import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { consent } from '../../../test/emulators/consent.ts'
import type { TestKey, TestUser } from '../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  connectSteps,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../../test/harness/integrations.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'

suite('connecting an account', () => {
  let lab: IntegrationLab
  let key: TestKey
  let user: TestUser
  let stranger: TestUser
  before(async () => {
    lab = await integrationLab()
    key = await lab.app.apiKey(await lab.app.tenant())
    user = await lab.app.user(key)
    stranger = await lab.app.user(key)
  })
  after(() => lab.close())

  const github = { provider: 'github', features: ['tasks'] }
  const call = (request: Parameters<IntegrationLab['app']['call']>[0]) => lab.app.call(request)
  const exchanges = () => lab.emulators.journal.entries({ path: 'access_token' }).length

  test('the start page says who asks for what, and looking at it uses nothing up', async () => {
    const steps = connectSteps(lab.app.call, user)
    const { startUrl } = await steps.begin(github)
    const path = new URL(startUrl).pathname
    for (let i = 0; i < 2; i++) {
      const { status, bytes, headers } = await call({ url: path })
      assert.equal(status, 200)
      for (const shown of ['GitHub', user.email, 'admin:repo_hook', 'Example Ltd'])
        assert.ok(bytes.toString().includes(shown), shown)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src 'none'/)
      assert.ok(policy.includes(`form-action 'self' ${lab.emulators.origin}`))
    }
    const { location, cookie } = await steps.start(startUrl)
    assert.match(cookie, /^__Host-atrium-connect=/)
    assert.ok(location.startsWith(`${lab.emulators.origin}/github.com/login/oauth/authorize?`))
    assert.equal((await call({ method: 'POST', url: path })).status, 404, 'it works once')
    assert.equal((await call({ url: path })).status, 404)
  })

  test('nothing is exchanged before the beginner confirms, and nobody else can', async () => {
    const steps = connectSteps(lab.app.call, user)
    const { integrationId, startUrl } = await steps.begin(github)
    const { location, cookie } = await steps.start(startUrl)
    const before = exchanges()
    const returned = await steps.follow(await consent(location), cookie)
    const next = new URL(String(returned.headers['location']))
    assert.equal(next.pathname, `${base}/confirmation`)
    assert.equal(next.searchParams.get('code'), null, 'the address has no code')
    const confirmation = next.searchParams.get('confirmation') ?? ''
    const shown = await call({ url: next.pathname + next.search })
    assert.ok(shown.bytes.toString().includes(`<output id="confirmation">${confirmation}</output>`))
    assert.equal((await connectSteps(lab.app.call, stranger).confirm(integrationId, confirmation)).status, 404)
    const wrong = await steps.confirm(integrationId, 'AAAA-BBBB-CCCC')
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, '/body/confirmation'])
    assert.equal(exchanges(), before)
    const confirmed = await steps.confirm(integrationId, confirmation.toLowerCase().replaceAll('-', ''))
    assert.equal(confirmed.status, 200)
    assert.equal(exchanges(), before + 1)
    assert.equal((await steps.confirm(integrationId, confirmation)).body.code, 'STATE_CONFLICT')
  })

  test('after five wrong tries, and after three minutes, the confirmation is over', async () => {
    const steps = connectSteps(lab.app.call, user)
    const waiting = async () => {
      const { integrationId, startUrl } = await steps.begin(github)
      const { location, cookie } = await steps.start(startUrl)
      const returned = await steps.follow(await consent(location), cookie)
      const confirmation = new URL(String(returned.headers['location'])).searchParams.get('confirmation') ?? ''
      return { integrationId, confirmation }
    }
    const tried = await waiting()
    for (let i = 0; i < 5; i++) assert.equal((await steps.confirm(tried.integrationId, 'AAAA-AAAA-AAAA')).status, 400)
    assert.equal((await steps.confirm(tried.integrationId, tried.confirmation)).status, 409)
    const late = await waiting()
    lab.app.clock.advance({ seconds: 181 })
    assert.equal((await steps.confirm(late.integrationId, late.confirmation)).status, 409)
  })

  test('what nobody has confirmed for 15 minutes goes, and nothing else', async () => {
    const steps = connectSteps(lab.app.call, user)
    const { id: confirmed } = await connectAccount(lab.app.call, user, github)
    const { integrationId: untouched } = await steps.begin(github)
    const { integrationId: unconfirmed, startUrl } = await steps.begin(github)
    const { location, cookie } = await steps.start(startUrl)
    await steps.follow(await consent(location), cookie)
    const left = async () => {
      await lab.app.app.housekeep('integrations.pending.drop-old')
      const ids = [confirmed, untouched, unconfirmed]
      const replies = await Promise.all(ids.map((id) => call({ url: `${base}/${id}`, headers: user.headers })))
      return replies.map(({ status, body }) => body.integration?.status ?? status)
    }
    lab.advance(14 * 60)
    assert.deepEqual(await left(), ['active', 'pending', 'pending'])
    lab.advance(61)
    assert.deepEqual(await left(), ['active', 404, 404])
    user = await loggedIn(lab.app, user)
  })

  test('a refusal at the provider comes back as an error, and fewer scopes as a missing scope', async () => {
    const steps = connectSteps(lab.app.call, user)
    const { startUrl } = await steps.begin(github)
    const { location, cookie } = await steps.start(startUrl)
    const denied = await steps.follow(await consent(location, { decision: 'deny' }), cookie)
    assert.match(String(denied.headers['location']), /error=ACCESS_DENIED/)
    const some = ['openid', 'email', 'https://www.googleapis.com/auth/drive.file']
    const google = { provider: 'google', features: ['calendar', 'export'], consent: { scopes: some } }
    const integration = await connectAccount(lab.app.call, user, google)
    const statuses = Object.fromEntries(
      integration.features.map(({ name, status }: { name: string; status: string }) => [name, status]),
    )
    assert.deepEqual(statuses, { calendar: 'scope_missing', export: 'on', import: 'off', mail: 'off' })
    const on = { features: [{ name: 'calendar', status: 'on' }] }
    const refused = await call({ method: 'PATCH', url: `${base}/${integration.id}`, headers: user.headers, body: on })
    assert.deepEqual([refused.status, refused.body.code], [409, 'SCOPE_MISSING'])
  })

  test('what an administrator of the directory has to allow is shown, and does not keep the rest from being connected', async () => {
    const microsoft = { provider: 'microsoft', features: ['calendar'] }
    const { id } = await connectAccount(lab.app.call, user, microsoft)
    const steps = connectSteps(lab.app.call, user)
    const { startUrl } = await steps.begin({ ...microsoft, features: ['transcripts'], integrationId: id })
    const { location, cookie } = await steps.start(startUrl)
    const refused = await steps.follow(await consent(location, { decision: 'admin_consent' }), cookie)
    assert.match(String(refused.headers['location']), /error=ADMIN_CONSENT_REQUIRED/)
    const statuses = async () => {
      const { body } = await call({ url: `${base}/${id}`, headers: user.headers })
      const features = body.integration.features as { name: string; status: string }[]
      return ['calendar', 'transcripts', 'post'].map((it) => features.find(({ name }) => name === it)?.status)
    }
    assert.deepEqual(await statuses(), ['on', 'admin_consent', 'off'])
    const again = await connectAccount(lab.app.call, user, { ...microsoft, features: ['post'], integrationId: id })
    assert.ok(again.id === id)
    assert.deepEqual(await statuses(), ['on', 'admin_consent', 'on'], 'it was not asked for again')
    await connectAccount(lab.app.call, user, { ...microsoft, features: ['transcripts'], integrationId: id })
    assert.deepEqual(await statuses(), ['on', 'on', 'on'], 'the administrator has allowed it')
  })

  test('the same account again renews its integration, and another account is refused and given back', async () => {
    const first = await connectAccount(lab.app.call, user, { provider: 'linear', features: ['tasks'] })
    const again = await connectAccount(lab.app.call, user, { provider: 'linear', features: ['tasks'] })
    assert.equal(again.id, first.id)
    const steps = connectSteps(lab.app.call, user)
    const zoom = await connectAccount(lab.app.call, user, { provider: 'zoom', features: ['transcripts'] })
    const { startUrl } = await steps.begin({ provider: 'zoom', features: ['transcripts'], integrationId: zoom.id })
    const { location, cookie } = await steps.start(startUrl)
    const page = await (await fetch(location)).text()
    const accounts = [...page.matchAll(/name="account"[^>]*value="([^"]+)"/g)].map((match) => match[1] ?? '')
    const other = accounts.at(-1) ?? ''
    const returned = await steps.follow(await consent(location, { account: other }), cookie)
    const confirmation = new URL(String(returned.headers['location'])).searchParams.get('confirmation') ?? ''
    const refused = await steps.confirm(zoom.id, confirmation)
    assert.deepEqual([refused.status, refused.body.code], [409, 'STATE_CONFLICT'], page)
    await lab.app.settled()
    assert.equal(lab.emulators.grants('zoom').length, 1)
  })

  test('returnTo is an exact origin of the tenant', async () => {
    const admin = await lab.app.user(key)
    await lab.app.promote(admin)
    const put = (origins: string[]) =>
      call({ method: 'PUT', url: `${base}/returns`, headers: admin.headers, body: { origins } })
    assert.equal((await put(['https://app.example.com', 'http://localhost:3000'])).status, 200)
    for (const origin of ['http://app.example.com', 'https://app.example.com/', 'javascript:alert(1)', 'https://*'])
      assert.equal((await put([origin])).status, 400, origin)
    const begin = (returnTo: string) =>
      call({
        method: 'POST',
        url: `${base}/github/connect`,
        headers: user.headers,
        body: { features: ['tasks'], returnTo },
      })
    assert.equal((await begin('https://app.example.com/a?b=c')).status, 201)
    assert.equal((await begin('http://localhost:3000/')).status, 201)
    for (const address of [
      'https://app.example.com.evil.example/',
      'https://app.example.com@evil.example/',
      'https://user@app.example.com/',
      'http://localhost:3001/',
      '//app.example.com',
    ])
      assert.deepEqual((await begin(address)).body.errors?.[0]?.path, '/body/returnTo', address)
  })

  test('only admins connect for an organization, and its members see it', async () => {
    const orgs = organizationCalls(lab.app)
    const owner = await orgs.person(key)
    const org = await orgs.create(owner)
    const member = await orgs.add(key, org.id, 'member')
    const body = { features: ['post'], orgId: org.id }
    const begin = (who: TestUser) => call({ method: 'POST', url: `${base}/slack/connect`, headers: who.headers, body })
    assert.equal((await begin(member)).body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await begin(stranger)).status, 404)
    const { id } = await connectAccount(lab.app.call, owner, { provider: 'slack', ...body })
    const read = (who: TestUser) => call({ url: `${base}/${id}`, headers: who.headers })
    assert.equal((await read(member)).body.integration.ownerKind, 'org')
    assert.equal((await read(stranger)).status, 404)
    const remove = (who: TestUser) => call({ method: 'DELETE', url: `${base}/${id}`, headers: who.headers })
    assert.equal((await remove(member)).status, 403)
    assert.equal((await remove(owner)).status, 204)
  })

  const kinds = ['browser', 'user', 'replay', 'provider', 'iss', 'late', 'state'] as const

  test('a changed flow ends in no connection and exchanges no code', async () => {
    const { oneOf, below } = seededRandom(20)
    const asked = () => lab.emulators.journal.entries({ path: 'token' }).length
    const before = asked()
    const integrations = async () => (await call({ url: base, headers: user.headers })).body.integrations
    const connected = (await integrations()).filter(({ status }: { status: string }) => status !== 'pending').length
    for (let i = 0; i < Number(process.env['CONNECT_MUTATIONS'] ?? 21); i++) {
      const kind = kinds[i % kinds.length]
      const [steps, other] = [connectSteps(lab.app.call, user), connectSteps(lab.app.call, stranger)]
      const { integrationId, startUrl } = await steps.begin(github)
      const { location, cookie } = await steps.start(startUrl)
      const answer = await consent(location)
      const theirs = await other.begin(github)
      let sent = cookie
      if (kind === 'browser') sent = below(2) === 0 ? '' : (await other.start(theirs.startUrl)).cookie
      if (kind === 'provider') answer.pathname = answer.pathname.replace('github', oneOf(['slack', 'google', 'linear']))
      if (kind === 'iss')
        answer.searchParams.set('iss', oneOf(['https://evil.example', 'https://accounts.google.com', '']))
      if (kind === 'state') {
        const state = answer.searchParams.get('state') ?? ''
        const at = 9 + below(state.length - 9)
        answer.searchParams.set('state', `${state.slice(0, at)}${state[at] === 'a' ? 'b' : 'a'}${state.slice(at + 1)}`)
      }
      if (kind === 'late') lab.app.clock.advance({ seconds: 601 })
      const returned = await steps.follow(answer, sent)
      const isIntact = kind === 'user' || kind === 'replay'
      assert.equal(returned.status, isIntact ? 303 : 400, `${kind}: ${returned.headers['location']}`)
      assert.equal((await steps.follow(answer, cookie)).status, 400, `${kind}: the answer is taken once`)
      if (isIntact) {
        const confirmation = new URL(String(returned.headers['location'])).searchParams.get('confirmation') ?? ''
        assert.equal((await other.confirm(integrationId, confirmation)).status, 404)
        assert.equal((await other.confirm(theirs.integrationId, confirmation)).status, 409)
      }
      lab.app.clock.advance({ seconds: 901 })
      ;[user, stranger] = [await loggedIn(lab.app, user), await loggedIn(lab.app, stranger)]
      await lab.app.app.housekeep('integrations.pending')
    }
    assert.equal(asked(), before)
    assert.equal((await integrations()).length, connected, 'those that nobody confirmed are gone')
  })
})
