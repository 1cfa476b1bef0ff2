// The console in a real browser on the real service: each screen once, and what people do there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { screenList } from '../../console/src/shell/screen-list.ts'
import { buildChangedFiles } from '../../src/built-files.ts'
import { testApp, unique } from '../harness/app.ts'
import { testBrowser } from '../harness/browser.ts'
import { newLink } from '../harness/console.ts'
import { assertAccessible, assertFits, consolePage, loadedBytes } from '../harness/console-page.ts'

test('the console', { timeout: 300_000 }, async (t) => {
  if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') return t.skip('the pages are the same on either database')
  const browser = await testBrowser(t, 'the console')
  if (browser === null) return
  buildChangedFiles((text) => process.stderr.write(text))
  const app = await testApp()
  const base = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.app.server.close())
  const adminKey = app.admin['x-admin-key'] ?? ''
  // Names are as long as people make them, and Home shows what ends soon.
  const apiKey = await app.apiKey(await app.tenant({ name: 'Donaudampfschifffahrtsgesellschaft'.repeat(3) }))
  const soon = new Date(app.clock.now().getTime() + 24 * 3600_000).toISOString()
  await app.license({ id: apiKey.tenantId }, { expiresAt: soon, product: 'editing-sdk' })
  const user = await app.user(apiKey)
  const license = await app.license({ id: apiKey.tenantId })
  const { body } = await app.call({ url: '/admin/vpn/servers', headers: app.admin })
  const owner = await consolePage(browser, base)
  const { page } = owner

  await t.test('refuses a wrong key in words, takes the right one, and shows Home', async () => {
    await page.goto(`${base}/console`)
    await page.fill('#admin-key', 'atradm_wrong')
    await page.press('#admin-key', 'Enter')
    await page.getByText('This key is unknown, revoked or expired.').waitFor()
    await assertAccessible(page, 'the sign-in page')
    await owner.signIn(adminKey)
    assert.equal(await page.locator('h1').textContent(), 'Home')
    const kept = await page.evaluate(
      'document.documentElement.outerHTML + JSON.stringify(localStorage) + location.href',
    )
    assert.ok(!(kept as string).includes(adminKey))
  })

  const samples: Record<string, string[]> = {
    '/tenants/:tenantId': [
      'overview',
      'people',
      'keys',
      'licenses',
      'devices',
      'sessions',
      'usage',
      'limits',
      'audit',
    ].map((tab) => `/tenants/${apiKey.tenantId}?tab=${tab}`),
    '/licenses/:licenseId': [`/licenses/${license.id}`],
    '/vpn/servers/:serverId': [`/vpn/servers/${body.servers[0].id}`],
    '/why': ['/why', `/why?keyId=${apiKey.id}&product=vault-vpn&userId=${user.id}&licenseId=${license.id}`],
    '/access': ['/access', '/access?tab=links', '/access?tab=sessions'],
  }
  for (const { path } of screenList)
    await t.test(`${path} is accessible in both themes, and fits from 320 pixels`, async () => {
      for (const address of samples[path] ?? [path]) {
        assert.ok(!address.includes(':'), `give the test an address of ${path}`)
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.emulateMedia({ colorScheme: 'light' })
        await owner.open(address)
        assert.equal(await page.locator('[role=alert]').count(), 0, `${address} shows a failure`)
        const requests = page.getByText('Show request')
        if ((await requests.count()) > 0) await requests.last().click()
        await assertAccessible(page, `${address}, light`)
        await page.setViewportSize({ width: 390, height: 800 })
        await page.emulateMedia({ colorScheme: 'dark' })
        await assertAccessible(page, `${address}, dark and narrow`)
        await page.setViewportSize({ width: 320, height: 800 })
        await assertFits(page, address)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    })

  await t.test('makes a tenant, a key and a license by keyboard, and shows each secret once', async () => {
    const slug = unique('c')
    await owner.open('/tenants/new')
    await page.getByLabel('Name').focus()
    await page.keyboard.type(slug)
    await page.keyboard.press('Tab')
    assert.equal(await page.getByLabel('Slug').inputValue(), slug, 'the slug follows the name')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ops@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'New API key' }).waitFor()

    await page.getByRole('button', { name: 'New API key' }).press('Enter')
    await page.getByLabel(/vault-vpn/).press('Space')
    await page.getByRole('button', { name: 'Create key' }).press('Enter')
    const secret = page.locator('.copy pre').first()
    await secret.waitFor()
    const key = (await secret.textContent()) ?? ''
    assert.equal(
      (await app.call({ url: '/vault/v1/vpn/servers', headers: { 'x-api-key': key } })).status,
      401,
      'known, without a user',
    )
    await assertAccessible(page, 'a secret')
    await page.getByRole('button', { name: 'I have stored it' }).press('Enter')
    await secret.waitFor({ state: 'detached' })
    assert.ok(!(await page.content()).includes(key), 'the key has left the page')

    await page.getByRole('link', { name: 'Licenses' }).last().press('Enter')
    await page.getByRole('link', { name: 'Issue a license' }).first().press('Enter')
    await page.getByRole('button', { name: 'Issue license' }).press('Enter')
    await page.getByRole('button', { name: 'I have stored it' }).press('Enter')
    await page.getByRole('heading', { name: /^License / }).waitFor()
  })

  await t.test('says at the field what is wrong with it', async () => {
    await owner.open('/tenants/new')
    await page.getByLabel('Slug').fill('Not A Slug')
    await page.getByRole('button', { name: 'Create tenant' }).click()
    await page.getByRole('alert').waitFor()
    assert.ok((await page.locator('[aria-invalid=true]').count()) >= 2)
    await assertAccessible(page, 'a refused form')
  })

  await t.test('finds why somebody is refused, and mends it', async () => {
    await app.call({
      method: 'PATCH',
      url: `/admin/users/${user.id}`,
      headers: app.admin,
      body: { status: 'SUSPENDED' },
    })
    await owner.open(`/why?keyId=${apiKey.id}&userId=${user.id}`)
    await page.getByText('It is refused').waitFor()
    await page.getByRole('button', { name: 'Activate the user' }).click()
    await page.getByText('Nothing of this is refused').waitFor()
  })

  await t.test('finds anything by keyboard, and forgets what was searched for', async () => {
    await owner.open('/tenants')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(user.email)
    await page.getByRole('dialog').getByText(user.email).waitFor()
    await assertAccessible(page, 'search')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Users' }).getByText(user.email).waitFor()
    await page.keyboard.press('Control+k')
    assert.equal(await page.getByLabel('Id, e-mail, slug, key or name').inputValue(), '')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('h1').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.getByRole('heading', { name: 'Licenses' }).waitFor()
  })

  await t.test('keeps a form while somebody signs in again', async () => {
    await owner.open('/tenants/new')
    await page.getByLabel('Name').fill('Kept')
    await page.getByLabel('Contact e-mail').fill('ops@example.com')
    await owner.context.clearCookies()
    await page.getByRole('button', { name: 'Create tenant' }).click()
    await page.getByLabel('Admin key').fill(adminKey)
    await assertAccessible(page, 'signing in again')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Kept' }).waitFor()
  })

  await t.test('asks again for a key before it gives away access', async () => {
    await owner.open('/access')
    await page.getByRole('button', { name: 'New admin key' }).click()
    await page.getByLabel('Name').fill('Ana')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Admin key').fill(adminKey)
    await assertAccessible(page, 'confirming')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('copy it now').waitFor()
  })

  await t.test('says that the service cannot answer, and shows the list once it can', async () => {
    const unavailable = { status: 503, contentType: 'application/json', body: '{"code":"UNAVAILABLE","status":503}' }
    await page.route('**/console/api/admin/tenants?*', (route) => route.fulfill(unavailable))
    await page.goto(`${base}/console/tenants`)
    await page.getByText('The service cannot answer right now').waitFor()
    await assertAccessible(page, 'a failure')
    await page.unroute('**/console/api/admin/tenants?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'Tenants' }).waitFor()
  })

  await t.test(
    'signs in by a link once, takes it out of the address, and tells a VIEWER why a button is off',
    async (t) => {
      const { link } = await newLink(app, { role: 'VIEWER' })
      const viewer = await consolePage(browser, base)
      t.after(() => viewer.context.close())
      await viewer.page.goto(`${base}/console/tenants/new#link=${link}`)
      await viewer.page.getByText('This needs the role OWNER; you are signed in as VIEWER.').waitFor()
      assert.equal(viewer.page.url(), `${base}/console/tenants/new`)
      assert.ok(await viewer.page.getByRole('button', { name: 'Create tenant' }).isDisabled())
      const second = await consolePage(browser, base)
      t.after(() => second.context.close())
      await second.page.goto(`${base}/console#link=${link}`)
      await second.page.getByText('This link was used before or has expired.').waitFor()
      assert.deepEqual([...viewer.faults(), ...second.faults()], [])
    },
  )

  await t.test(
    'loads little: 150 KB of script and 16 KB of style for Home, and asks at most 5 questions',
    async (t) => {
      const questions: string[] = []
      const count = (request: Request) => request.url().includes('/console/api/') && questions.push(request.url())
      page.on('request', count)
      await owner.open('/')
      page.off('request', count)
      const [script, style] = [await loadedBytes(page, 'js'), await loadedBytes(page, 'css')]
      t.diagnostic(`${script} bytes of script, ${style} of style, ${questions.length} questions`)
      assert.ok(script > 20_000 && script <= 150 * 1024, `${script}`)
      assert.ok(style > 2000 && style <= 16 * 1024, `${style}`)
      assert.ok(questions.length > 0 && questions.length <= 5, questions.join(' '))
    },
  )

  await t.test('was loaded from this service alone, under its policy, without an error', async () => {
    assert.deepEqual(owner.faults(), [])
    const policy = (await page.request.get(`${base}/console`)).headers()['content-security-policy'] ?? ''
    assert.match(policy, /style-src 'self'; .*require-trusted-types-for 'script'; trusted-types 'none'$/)
    const script = await page.evaluate('document.querySelector("script[src]").src')
    const asset = await page.request.get(script as string, { headers: { 'accept-encoding': 'br' } })
    assert.equal(asset.headers()['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(asset.headers()['content-encoding'], 'br')
  })
})
