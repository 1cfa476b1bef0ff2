// The console in a real browser on the real service: each screen once, and what people do there.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Request } from 'playwright-core'
import { screenList } from '../../console/src/shell/screen-list.ts'
import { buildChangedFiles } from '../../src/built-files.ts'
import { readConfig } from '../../src/config/config.ts'
import { settingReport } from '../../src/config/setting-report.ts'
import { testApp, unique } from '../harness/app.ts'
import { testBrowser } from '../harness/browser.ts'
import { newLink } from '../harness/console.ts'
import { assertAccessible, assertForgotten, consolePage, loaded, refererOf, tabTo } from '../harness/console-page.ts'
import { arePicturesTaken, takeDocumentPicture, takePicture, writeContactSheets } from '../harness/console-pictures.ts'
import { visitScreen } from '../harness/console-visit.ts'
import { freshDatabase } from '../harness/database.ts'

test('the console', { timeout: arePicturesTaken ? 1_800_000 : 600_000 }, async (t) => {
  if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') return t.skip('the pages are the same on either database')
  const browser = await testBrowser(t, 'the console')
  if (browser === null) return
  buildChangedFiles((text) => process.stderr.write(text))
  // Its pages show the whole installation: that of other tests may be large, and their audit log broken on purpose.
  const database = await freshDatabase()
  const app = await testApp({
    database,
    settingReport: settingReport({}, { config: readConfig({}), adminKey: { value: 'kept', from: 'kept' } }),
  })
  const base = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
  t.after(async () => {
    await app.app.server.close()
    await database.close()
  })
  const adminKey = app.admin['x-admin-key'] ?? ''
  // Names are as long as people make them, and Home shows what ends soon.
  const branded = {
    name: 'Donaudampfschifffahrtsgesellschaft'.repeat(3),
    whitelabelConfig: { primaryColor: '#ffdd00' },
  }
  const apiKey = await app.apiKey(await app.tenant(branded))
  const soon = new Date(app.clock.now().getTime() + 24 * 3600_000).toISOString()
  await app.license({ id: apiKey.tenantId }, { expiresAt: soon, product: 'editing-sdk' })
  const user = await app.user(apiKey)
  const license = await app.license({ id: apiKey.tenantId }, { plan: 'STARTER' })
  const used = await app.license({ id: apiKey.tenantId }, { product: 'assistant-ai', plan: 'STARTER', maxUses: 9 })
  const use = { licenseKey: used.key, consume: true }
  const call = {
    method: 'POST',
    url: '/vault/v1/licenses/validate',
    headers: { 'x-api-key': apiKey.key },
    body: use,
  } as const
  assert.equal((await app.call(call)).body.usesRemaining, 8)
  const { body } = await app.call({ url: '/admin/vpn/servers', headers: app.admin })
  const endpoints = `/admin/tenants/${apiKey.tenantId}/webhooks/endpoints`
  const made = { method: 'POST', url: endpoints, headers: app.admin, body: { url: `${base}/health` } } as const
  const { endpoint } = (await app.call(made)).body
  await app.call({ method: 'POST', url: `${endpoints}/${endpoint.id}/test`, headers: app.admin, body: {} })
  const owner = await consolePage(browser, base)
  const { page } = owner
  /** By Tab and a key, as somebody does who has no mouse. */
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target.first())
    await page.keyboard.press(key)
  }

  await t.test('refuses a wrong key in words, takes the right one, and shows Home', async () => {
    await page.goto(`${base}/console`)
    await page.fill('#admin-key', 'atradm_wrong')
    await page.press('#admin-key', 'Enter')
    await page.getByText('This key is unknown, revoked or expired.').waitFor()
    await assertAccessible(page, 'the sign-in page')
    await owner.signIn(adminKey)
    assert.equal(await page.locator('h1').textContent(), 'Home')
    await assertForgotten(page, { 'admin key': adminKey })
  })

  await t.test('shows Home after a link from another site, which brings no cookie for the page', async () => {
    const plain = await fetch(`${base}/console`)
    const fulfilled = { headers: Object.fromEntries(plain.headers), body: await plain.text() }
    assert.doesNotMatch(fulfilled.body, /data-session/)
    await page.route(`${base}/console`, (route) => route.fulfill(fulfilled), { times: 1 })
    await page.goto(`${base}/console`)
    await page.locator('.shell h1').waitFor()
    assert.equal(await page.locator('#admin-key').count(), 0)
  })

  await t.test('adds sample data, which one erasure takes away', async () => {
    await takeDocumentPicture(page, 'first-steps')
    await page.getByRole('button', { name: 'Add sample data' }).click()
    await page.getByRole('heading', { name: 'Northwind (sample)' }).waitFor()
    for (const tab of ['people', 'devices', 'licenses']) {
      await owner.go(`${new URL(page.url()).pathname.replace('/console', '')}?tab=${tab}`)
      await page.getByRole('table').getByRole('row').nth(3).waitFor()
    }
  })

  const samples: Record<string, string[]> = {
    '/tenants/:tenantId': [
      'overview',
      'people',
      'keys',
      'licenses',
      'devices',
      'sessions',
      'webhooks',
      'usage',
      'limits',
      'branding',
      'audit',
      `webhooks&endpointId=${endpoint.id}`,
    ].map((tab) => `/tenants/${apiKey.tenantId}?tab=${tab}`),
    '/licenses/:licenseId': [`/licenses/${license.id}`, `/licenses/${used.id}`],
    '/vpn/servers/:serverId': [`/vpn/servers/${body.servers[0].id}`],
    '/why': ['/why', `/why?keyId=${apiKey.id}&product=vault-vpn&userId=${user.id}&licenseId=${license.id}`],
    '/access': ['/access', '/access?tab=links', '/access?tab=sessions'],
  }
  const foreign = await consolePage(browser, base, { language: 'ar-XB' })
  await foreign.signIn(adminKey)
  for (const { path } of screenList)
    await t.test(
      `${path} is accessible in both themes, fits from 320 pixels, and has its words from catalogs`,
      async () => {
        for (const address of samples[path] ?? [path]) {
          assert.ok(!address.includes(':'), `give the test an address of ${path}`)
          await visitScreen(owner, foreign, address)
        }
      },
    )

  let secretKey = ''
  await t.test('makes a tenant, a key and licenses by keyboard, and shows each secret once', async () => {
    const slug = unique('c')
    await owner.go('/tenants')
    await press(page.getByRole('link', { name: 'New tenant' }))
    await tabTo(page, page.getByLabel('Name'))
    await page.keyboard.type(slug)
    await page.keyboard.press('Tab')
    assert.equal(await page.getByLabel('Slug').inputValue(), slug, 'the slug follows the name')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ops@example.com')
    await page.keyboard.press('Enter')

    await press(page.getByRole('button', { name: 'New API key' }))
    await press(page.getByLabel(/vault-vpn/), 'Space')
    await press(page.getByRole('button', { name: 'Create key' }))
    const secret = page.locator('.copy pre').first()
    await secret.waitFor()
    const key = (await secret.textContent()) ?? ''
    secretKey = key
    const { status } = await app.call({ url: '/vault/v1/vpn/servers', headers: { 'x-api-key': key } })
    assert.equal(status, 401, 'known, without a user')
    await assertAccessible(page, 'a secret')
    await takeDocumentPicture(page, 'api-key')
    assert.equal(await refererOf(page), undefined)
    await press(page.getByRole('button', { name: 'I have stored it' }))
    await secret.waitFor({ state: 'detached' })
    assert.ok(!(await page.content()).includes(key), 'the key has left the page')

    await press(page.getByRole('link', { name: 'Licenses' }).last())
    await press(page.getByRole('link', { name: 'Issue a license' }).first())
    await tabTo(page, page.getByLabel('How many'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('3')
    await press(page.getByRole('button', { name: 'Issue 3 licenses' }))
    const keys = ((await secret.textContent()) ?? '').split('\n')
    assert.equal(new Set(keys).size, 3)
    await press(page.getByRole('button', { name: 'I have stored it' }))
    await page.getByRole('heading', { name: 'Licenses' }).waitFor()
  })

  await t.test('changes the terms of a license, and leaves what was not changed', async () => {
    const terms = () => app.call({ url: `/vault/v1/licenses/${license.id}`, headers: app.admin })
    const before = (await terms()).body.license
    await owner.go(`/licenses/${license.id}`)
    await press(page.getByRole('button', { name: 'Change terms' }))
    await tabTo(page, page.getByRole('spinbutton', { name: 'Uses' }))
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByText('0 of 7').waitFor()
    const after = (await terms()).body.license
    assert.deepEqual(after, { ...before, maxUses: 7, usesRemaining: 7, updatedAt: after.updatedAt })
  })

  await t.test('says at the field what is wrong with it', async () => {
    await owner.go('/tenants/new')
    await page.getByLabel('Slug').fill('Not A Slug')
    await page.getByRole('button', { name: 'Create tenant' }).click()
    await page.getByRole('alert').waitFor()
    assert.ok((await page.locator('[aria-invalid=true]').count()) >= 2)
    await assertAccessible(page, 'a refused form')
  })

  await t.test('finds by keyboard why somebody is refused, and mends it', async () => {
    const suspended = { method: 'PATCH', url: `/admin/users/${user.id}`, headers: app.admin } as const
    await app.call({ ...suspended, body: { status: 'SUSPENDED' } })
    await owner.go(`/users?tenantId=${apiKey.tenantId}`)
    await press(page.getByRole('table').getByRole('link', { name: 'Why refused?' }))
    await page.getByText('It is refused').waitFor()
    await page.getByText(/^Done by admin key .*: user\.suspend\.$/).waitFor()
    await takeDocumentPicture(page, 'why-refused')
    await press(page.getByRole('button', { name: 'Activate the user' }))
    await page.getByText('Nothing of this is refused').waitFor()
  })

  await t.test('finds anything by keyboard, and forgets what was searched for', async () => {
    await owner.go('/tenants')
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
    assert.ok(await page.locator('h1').evaluate((it) => it === it.ownerDocument.activeElement), 'the focus is back')
  })

  await t.test('lists its shortcuts, and switches those of single keys off and on', async () => {
    await owner.go('/tenants')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await assertAccessible(page, 'shortcuts')
    await takePicture(page, 'light', 'shortcuts')
    await press(help.getByLabel('Shortcuts of single keys'), 'Space')
    await page.keyboard.press('Escape')
    for (const key of ['?', '/', 'g', 'l']) await page.keyboard.press(key)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.equal(new URL(page.url()).pathname, '/console/tenants')
    await press(page.getByRole('button', { name: 'Keyboard shortcuts' }))
    await press(help.getByLabel('Shortcuts of single keys'), 'Space')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    for (const key of ['g', 'l']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Licenses' }).waitFor()
  })

  await t.test('proves the audit log against a checkpoint, and saves it as CSV', async () => {
    await owner.go('/audit?action=tenant.create')
    const verify = page.getByRole('button', { name: 'Verify', exact: true })
    await press(verify)
    const checkpoint = (await page.locator('.panel .copy pre').textContent()) ?? ''
    await tabTo(page, page.getByLabel('Checkpoint from earlier'))
    await page.keyboard.type(checkpoint)
    await press(verify)
    await page.getByText('the log continues the one of the checkpoint').waitFor()
    const saving = page.waitForEvent('download')
    await press(page.getByRole('button', { name: 'Save as CSV' }))
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\n')
    assert.ok(lines.length > 2 && lines.slice(1).every((line) => line.includes('tenant.create')))
  })

  await t.test('keeps a form while somebody signs in again', async () => {
    await owner.go('/tenants/new')
    await tabTo(page, page.getByLabel('Name'))
    await page.keyboard.type('Kept')
    await tabTo(page, page.getByLabel('Contact e-mail'))
    await page.keyboard.type('ops@example.com')
    await owner.context.clearCookies()
    await page.keyboard.press('Enter')
    await page.getByLabel('Admin key').waitFor()
    await page.keyboard.type(adminKey)
    await assertAccessible(page, 'signing in again')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Kept' }).waitFor()
  })

  await t.test('asks again for a key before it gives away access', async () => {
    await owner.go('/access')
    await press(page.getByRole('button', { name: 'New admin key' }))
    await tabTo(page, page.getByLabel('Name'))
    await page.keyboard.type('Ana')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.waitFor()
    await page.keyboard.type(adminKey)
    await assertAccessible(page, 'confirming')
    await page.keyboard.press('Enter')
    await page.getByText('copy it now').waitFor()
    const made = (await page.locator('.copy pre').first().textContent()) ?? ''
    await press(page.getByRole('button', { name: 'I have stored it' }))
    await owner.go('/')
    await assertForgotten(page, { 'API key': secretKey, 'new admin key': made, 'admin key': adminKey })
  })

  await t.test('erases the sample tenant, once its slug is typed', async () => {
    await owner.go('/tenants?q=sample')
    await press(page.getByRole('link', { name: 'Northwind (sample)' }))
    await press(page.getByRole('button', { name: 'Erase' }))
    const dialog = page.getByRole('dialog', { name: 'Erase sample-northwind?' })
    await dialog.waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Erase' }).isDisabled())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const erase = page.getByRole('button', { name: 'Erase' })
    assert.ok(await erase.evaluate((it) => it === it.ownerDocument.activeElement), 'the focus is back')
    await page.keyboard.press('Enter')
    await page.keyboard.type('sample-northwind')
    await press(dialog.getByRole('button', { name: 'Erase' }))
    await page.getByRole('heading', { name: 'Tenants' }).waitFor()
    const { body } = await app.call({ url: '/admin/tenants?q=sample-northwind', headers: app.admin })
    assert.equal(body.pagination.total, 0)
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
    'loads little: 150 KB of script in few files and 16 KB of style for Home, and asks at most 5 questions',
    async (t) => {
      const questions: string[] = []
      const count = (request: Request) => request.url().includes('/console/api/') && questions.push(request.url())
      page.on('request', count)
      await owner.open('/')
      page.off('request', count)
      const [script, style] = [await loaded(page, 'js'), await loaded(page, 'css')]
      t.diagnostic(
        `${script.bytes} bytes of script in ${script.files} files, ${style.bytes} of style, ${questions.length} questions`,
      )
      assert.ok(script.bytes > 20_000 && script.bytes <= 150 * 1024, `${script.bytes}`)
      // What Home fetches when it is there, such as the sample data, is in files of its own.
      assert.ok(script.files <= 8, `${script.files} files`)
      assert.ok(style.bytes > 2000 && style.bytes <= 16 * 1024, `${style.bytes}`)
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
  await writeContactSheets(browser)
})
