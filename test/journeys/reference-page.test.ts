import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBrowser } from '../harness/browser.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

test('the API reference works in a browser without any address but our own, under its strict policy', {
  timeout: 120_000,
}, async (t) => {
  if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') return t.skip('the page is the same on either database')
  const browser = await testBrowser(t, 'the API reference page')
  if (browser === null) return
  const service = await startService({ DATA_DIR: await temporaryFolder() })
  t.after(() => service.stop('SIGKILL'))
  const page = await browser.newPage()
  const elsewhere: string[] = []
  const complaints: string[] = []
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(service.base) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue()
    elsewhere.push(url)
    return route.abort()
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))

  await page.goto(`${service.base}/docs`)
  await page.getByText('Devices', { exact: true }).first().click({ timeout: 60_000 })
  await page.getByText('Register a device').first().waitFor({ timeout: 60_000 })
  const commands = (await page.locator('pre', { hasText: 'curl ' }).allInnerTexts()).join('\n')
  assert.match(commands, /\/vault\/v1\/devices/)
  // Whoever changes the body and sends it again would be refused: the key belongs to the first request.
  assert.doesNotMatch(commands, /Idempotency-Key|If-Match/)
  // The first operation that the page offers to try is the home of the service.
  await page.getByText('Test Request').first().click()
  const answer = page.waitForResponse(`${service.base}/`)
  await page.getByRole('button', { name: /^Send/ }).first().click()
  assert.equal((await answer).status(), 200)
  await page.getByText('200 OK').first().waitFor()

  assert.deepEqual(elsewhere, [])
  assert.deepEqual(complaints, [])
  const policy = (await page.request.get(`${service.base}/docs`)).headers()['content-security-policy'] ?? ''
  assert.match(policy, /script-src 'self';/)

  await page.goto(`${service.base}/docs/errors#LICENSE_EXHAUSTED`)
  assert.equal(await page.locator(':target h2').textContent(), 'LICENSE_EXHAUSTED')
  await page.getByRole('link', { name: 'NOT_CONFIGURED' }).click()
  assert.equal(await page.locator(':target h2').textContent(), 'NOT_CONFIGURED')

  await page.goto(service.base)
  await page.getByRole('link', { name: 'API reference' }).waitFor()
  const font = await page.evaluate<string>('getComputedStyle(document.body).fontFamily')
  assert.match(font, /system-ui/, 'the policy lets the page have its style')
  assert.deepEqual(complaints, [])
})
