import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { refusals } from '../../kernel/refusal.ts'
import type { ServiceState } from './home.page.ts'
import { homeRoutes } from './home.routes.ts'

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

let app: TestApp
before(async () => {
  app = await testApp()
})

/** What a browser may load and run: nothing but the one style of the page. */
function assertStatic({ headers, body }: { headers: Record<string, string | undefined>; body: string }): void {
  const [style = ''] = /(?<=<style>)[^<]*/.exec(body) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    headers['content-security-policy'],
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  assert.doesNotMatch(body, /<script|\son\w+=|style=/)
  const addresses = [...body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address ?? '')
  for (const address of addresses) assert.match(address, /^(?:\/(?!\/)|#|data:)/)
}

describe('the page at /', () => {
  test('is JSON unless the caller prefers HTML, as browsers do', async () => {
    const typeFor = async (accept: string) =>
      (await app.call({ url: '/', headers: { accept } })).headers['content-type']
    for (const accept of ['', '*/*', 'application/json', 'application/json, text/html;q=0.9', 'application/*'])
      assert.equal(await typeFor(accept), 'application/json; charset=utf-8', accept)
    for (const accept of [browserAccept, 'text/html', 'text/*, application/json;q=0.5'])
      assert.equal(await typeFor(accept), 'text/html; charset=utf-8', accept)
    assert.equal((await app.call({ url: '/', headers: { accept: 'image/png' } })).status, 406)
    const { headers, body } = await app.call({ url: '/' })
    assert.deepEqual(Object.keys(body), ['name', 'version', 'products', 'links'])
    assert.match(headers['vary'] ?? '', /\baccept\b/)
  })

  test('tells a person what this is, how it is, and where to read on', async () => {
    const page = await app.call({ url: '/', headers: { accept: browserAccept } })
    assert.equal(page.status, 200)
    assert.match(page.body, /<h1>Atrium<\/h1>/)
    assert.match(page.body, /API version 0\.0\.0-test/)
    assert.match(page.body, /This installation is <b>running<\/b>/)
    assert.match(page.body, /<a href="\/products\/vault-vpn">/)
    assertStatic(page)
    for (const [, address = ''] of page.body.matchAll(/href="(\/[^"]*)"/g)) {
      const reply = await app.call({ url: address, headers: { accept: browserAccept } })
      assert.equal(reply.status, 200, address)
    }
  })

  test('shows first steps that work as they stand', async () => {
    const { body } = await app.call({ url: '/', headers: { accept: 'text/html' } })
    const shown = [...(body as string).matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, text = '']) => text)
    const known: Record<string, string> = { ADMIN_KEY: String(app.admin['x-admin-key']) }
    for (const command of shown.slice(1)) {
      const filled = command.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => known[name] ?? '')
      const [, url = ''] = /^curl "([^"]+)"/.exec(filled) ?? []
      const headers = Object.fromEntries(
        [...filled.matchAll(/-H ["']([\w-]+): ([^"']+)["']/g)].map(([, n, v]) => [n, v]),
      )
      const [, json = ''] = /-d '([^']+)'$/.exec(filled) ?? []
      const sent = json.replace('"northwind"', `"${unique('northwind')}"`)
      const reply = await app.call({ method: 'POST', url, headers, body: sent })
      assert.equal(reply.status, 201, `${command}\n${JSON.stringify(reply.body)}`)
      known['TENANT_ID'] ??= reply.body.tenant?.id
      if (reply.body.apiKey) known['API_KEY'] = reply.body.apiKey.key
    }
    assert.equal(shown.length, 4)
  })

  test('says so while the database is away, and writes the names of products as text', async () => {
    const render = async (state: ServiceState, publicProducts: () => Promise<never[]>) => {
      const deps = { version: '1.0.0', clock: testClock(), state: async () => state, publicProducts }
      const [home] = homeRoutes(deps)
      const answer = await home?.handle({ platform: app.platform, headers: { accept: 'text/html' } })
      assert.ok(answer?.validUntil, 'the state is not kept like the catalog is')
      return String(answer.body)
    }
    const fails = () => Promise.reject(new Error('away'))
    assert.match(await render('unavailable', fails), /<b>not available: its database does not answer<\/b>/)
    assert.match(await render('ok', fails), /running/)
    assert.match(await render('draining', async () => []), /<b>stopping/)
    const hostile = { name: '<script>alert(1)</script>', tagline: '"&', slug: 'a', type: 'APP', status: 'LIVE' }
    const html = await render('ok', async () => [hostile as never])
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/a>: &quot;&amp;/)
  })

  test('shows the state of now, not of when it was first opened', async () => {
    const at = async () => (await app.call({ url: '/', headers: { accept: 'text/html' } })).body as string
    assert.match(await at(), /running/)
    app.app.drain()
    app.clock.advance({ seconds: 2 })
    assert.match(await at(), /stopping/)
  })
})

test('the error codes have an index by status, which leads to each of them', async () => {
  const page = await app.call({ url: '/docs/errors' })
  assertStatic(page)
  const html = page.body as string
  const [index = ''] = /<nav.*<\/nav>/s.exec(html) ?? []
  const linked = [...index.matchAll(/href="#(\w+)"/g)].map(([, code]) => code)
  assert.deepEqual(linked.toSorted(), Object.keys(refusals).toSorted())
  for (const code of linked) assert.ok(html.includes(`<section id="${code}">`), code)
  assert.match(index, /<li><b>404<\/b> <a class="code" href="#NOT_FOUND">NOT_FOUND<\/a><\/li>/)
})
