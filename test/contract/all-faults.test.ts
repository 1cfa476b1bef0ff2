import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { type TestApp, type TestUser, testApp, unique } from '../harness/app.ts'

// Whoever sends a request with several faults is told all of them: those of the schema and those of the rules after it.

let app: TestApp
let user: TestUser
let productId: string
const absent = newId(new Date())
const past = '2020-01-01T00:00:00.000Z'

before(async () => {
  app = await testApp()
  const tenant = await app.tenant()
  user = await app.user(await app.apiKey(tenant))
  await app.promote(user)
  const product = { slug: unique('p'), name: 'Lab', type: 'API', status: 'LIVE' }
  const made = await app.call({ method: 'POST', url: '/admin/products', headers: app.admin, body: product })
  productId = made.body.product.id
})

type Case = {
  request: string
  as?: 'user'
  body?: Record<string, unknown>
  /** What the rules find in it. */
  paths: string[]
  /** Members that make the schema refuse it as well, and the place of that. */
  wrong: [member: Record<string, unknown>, path: string]
}

const cases: Case[] = [
  {
    request: 'POST /vault/v1/auth/register',
    as: 'user',
    body: { email: 'nobody', password: 'short' },
    paths: ['/body/email', '/body/password'],
    wrong: [{ name: 5 }, '/body/name'],
  },
  {
    request: 'PATCH /vault/v1/auth/me',
    as: 'user',
    body: { email: 'nobody' },
    paths: ['/body/email', '/body/currentPassword'],
    wrong: [{ nmae: 'x' }, '/body/nmae'],
  },
  {
    request: 'POST /vault/v1/auth/password',
    as: 'user',
    body: { newPassword: 'short', currentPassword: 'x' },
    paths: ['/body/newPassword'],
    wrong: [{ currentPassword: '' }, '/body/currentPassword'],
  },
  {
    request: 'POST /vault/v1/auth/password/reset',
    as: 'user',
    body: { token: 'no-token', password: 'short' },
    paths: ['/body/token', '/body/password'],
    wrong: [{ email: 'a' }, '/body/email'],
  },
  {
    request: 'POST /admin/tenants',
    body: { name: 'T', slug: 'ttt', contactEmail: 'nobody', whitelabelConfig: { supportEmail: 'nobody' } },
    paths: ['/body/contactEmail', '/body/whitelabelConfig/supportEmail'],
    wrong: [{ name: '' }, '/body/name'],
  },
  {
    request: 'POST /admin/tenants/:tenantId/api-keys',
    body: { name: 'k', products: ['vault-vpn', 'nope', 'neither'], expiresAt: past },
    paths: ['/body/products/1', '/body/products/2', '/body/expiresAt'],
    wrong: [{ name: '' }, '/body/name'],
  },
  {
    request: 'POST /v1/platform/admin/keys',
    body: { name: 'k', role: 'VIEWER', expiresAt: past },
    paths: ['/body/expiresAt'],
    wrong: [{ role: 'GOD' }, '/body/role'],
  },
  {
    request: 'POST /admin/access-check',
    body: { licenseKey: 'a', licenseId: 'b' },
    paths: ['/body/licenseId', '/body/keyId'],
    wrong: [{ product: '' }, '/body/product'],
  },
  {
    request: 'POST /vault/v1/licenses',
    body: { tenantId: absent, product: 'nope', plan: 'PRO', expiresAt: past },
    paths: ['/body/tenantId', '/body/product', '/body/expiresAt'],
    wrong: [{ plan: 'GOLD' }, '/body/plan'],
  },
  {
    request: 'POST /vault/v1/licenses/validate',
    as: 'user',
    body: { product: 'vault-vpn', consume: true },
    paths: ['/body/licenseKey', '/body/consume'],
    wrong: [{ plan: 'PRO' }, '/body/plan'],
  },
  {
    request: 'POST /v1/webhooks/endpoints',
    as: 'user',
    body: { url: 'https://user:secret@example.com/', eventTypes: ['license.issued', 'nope', 'neither.*'] },
    paths: ['/body/url', '/body/eventTypes/1', '/body/eventTypes/2'],
    wrong: [{ ratePerMinute: -1 }, '/body/ratePerMinute'],
  },
  {
    request: 'POST /assistant/v1/webhooks/connections',
    as: 'user',
    body: { scheme: 'slack', name: 'c' },
    paths: ['/body/secret'],
    wrong: [{ name: '' }, '/body/name'],
  },
  {
    request: 'POST /assistant/v1/meetings',
    as: 'user',
    body: { title: 'M', orgId: absent },
    paths: ['/body/orgId'],
    wrong: [{ ttl_days: 0 }, '/body/ttl_days'],
  },
  {
    request: 'POST /assistant/v1/orgs',
    as: 'user',
    body: { name: 'O', timeZone: 'Moon/Base' },
    paths: ['/body/timeZone'],
    wrong: [{ name: '' }, '/body/name'],
  },
  {
    request: 'POST /vault/v1/devices',
    as: 'user',
    body: { deviceName: 'd', deviceType: 'LINUX', publicKey: 'A'.repeat(43), region: unique('nowhere') },
    paths: ['/body/publicKey', '/body/region'],
    wrong: [{ deviceName: '' }, '/body/deviceName'],
  },
  {
    request: 'POST /vault/v1/vpn/disconnect',
    as: 'user',
    body: {},
    paths: ['/body'],
    wrong: [{ session: 'x' }, '/body/session'],
  },
  {
    request: 'POST /admin/vpn/servers',
    body: {
      name: unique('s'),
      region: 'eu',
      publicIp: '300.1.1.1',
      dns: ['x'],
      subnet4: '10.9.0.0/99',
      subnet6: 'fd00::/64',
      capacity: 10,
    },
    paths: ['/body/publicIp', '/body/dns/0', '/body/subnet4'],
    wrong: [{ endpointPort: 0 }, '/body/endpointPort'],
  },
  {
    request: 'POST /admin/products',
    body: { slug: unique('p'), name: 'P', type: 'MOON', status: 'NEVER', iconMediaId: absent, coverMediaId: absent },
    paths: ['/body/type', '/body/status', '/body/iconMediaId', '/body/coverMediaId'],
    wrong: [{ name: '' }, '/body/name'],
  },
  {
    request: 'POST /admin/products/:productId/plans',
    body: { code: '!', name: 'P', priceCents: 100, currency: 'XXQ' },
    paths: ['/body/code', '/body/currency'],
    wrong: [{ name: '' }, '/body/name'],
  },
  {
    request: 'POST /admin/products/:productId/versions',
    body: { version: 'one', releasedAt: '2999-01-01T00:00:00.000Z', yankReason: 'because' },
    paths: ['/body/version', '/body/releasedAt', '/body/yankReason'],
    wrong: [{ channel: 'x'.repeat(1000) }, '/body/channel'],
  },
  {
    request: 'POST /admin/products/:productId/downloads',
    body: { kind: 'SDK', externalUrl: 'http://example.com', versionId: absent, mediaId: absent },
    paths: ['/body/externalUrl', '/body/versionId', '/body/mediaId'],
    wrong: [{ arch: 'abacus' }, '/body/arch'],
  },
  {
    request: 'POST /admin/products/:productId/media',
    body: { kind: 'LOGO', mediaId: absent, posterMediaId: absent },
    paths: ['/body/mediaId', '/body/alt', '/body/posterMediaId'],
    wrong: [{ caption: 5 }, '/body/caption'],
  },
  {
    request: 'POST /admin/products/:productId/docs',
    body: { slug: 'dd', title: 'D', markdown: 'x', sectionId: absent },
    paths: ['/body/sectionId'],
    wrong: [{ title: '' }, '/body/title'],
  },
  {
    request: 'POST /admin/cms/pages',
    body: {
      slug: unique('p'),
      title: 'x',
      publishAt: past,
      unpublishAt: past,
      meta: { canonical: 'javascript:a', ogImage: absent },
      sections: [
        { type: 'hero', content: { ctas: [{ label: 'a', href: 'javascript:b' }] } },
        { type: 'image', content: { mediaId: absent } },
        { type: 'Faq' },
      ],
    },
    paths: [
      '/body/publishAt',
      '/body/unpublishAt',
      '/body/meta/canonical',
      '/body/meta/ogImage',
      '/body/sections/0/content/heading',
      '/body/sections/0/content/ctas/0/href',
      '/body/sections/1/content/mediaId',
      '/body/sections/2/type',
    ],
    wrong: [{ title: '' }, '/body/title'],
  },
  {
    request: 'POST /admin/cms/slots',
    body: {
      kind: 'HERO_SLIDE',
      href: 'javascript:a',
      links: [{ label: 'a', href: 'data:b' }],
      startsAt: '2027-01-02T00:00:00Z',
      endsAt: '2027-01-01T00:00:00Z',
      productSlug: 'nope',
      mediaId: absent,
    },
    paths: ['/body/href', '/body/links/0/href', '/body/endsAt', '/body/links', '/body/productSlug', '/body/mediaId'],
    wrong: [{ title: 5 }, '/body/title'],
  },
  {
    request: 'POST /admin/cms/blocks',
    body: { key: unique('b'), locale: 'zz-', type: 'number', value: 'x' },
    paths: ['/body/locale', '/body/value'],
    wrong: [{ description: 5 }, '/body/description'],
  },
  {
    request: 'GET /admin/products?type=moon&status=never',
    paths: ['/query/type', '/query/status'],
    wrong: [{}, '/query/page'],
  },
  {
    request: 'GET /cms/blocks?keys=A&locale=zz-',
    paths: ['/query/keys', '/query/locale'],
    wrong: [{}, '/query/page'],
  },
  {
    request: 'GET /admin/cms/slots?kind=moon',
    paths: ['/query/kind'],
    wrong: [{}, '/query/page'],
  },
  {
    request: 'GET /admin/analytics/overview?from=2026-02-02&to=2026-02-01',
    paths: ['/query/from'],
    wrong: [{}, '/query/page'],
  },
]

function call({ request, as, body }: Pick<Case, 'request' | 'as' | 'body'>, more = '') {
  const [method = '', path = ''] = request.split(' ')
  const url = path.replace(':tenantId', user.tenantId).replace(':productId', productId)
  const headers = as === 'user' ? user.headers : app.admin
  return app.call({ method, url: url + more, headers, ...(body === undefined ? {} : { body }) })
}

const pathsIn = ({ errors = [] }: { errors?: { path: string }[] }) => errors.map(({ path }) => path).sort()

describe('a refused request names every wrong field', () => {
  for (const { request, paths, wrong, ...rest } of cases) {
    test(`${request}: those of all its rules`, async () => {
      const reply = await call({ request, ...rest })
      assert.deepEqual([reply.status, pathsIn(reply.body)], [400, [...paths].sort()], JSON.stringify(reply.body))
      if (paths.length > 1) assert.match(reply.body.detail, new RegExp(`^${paths.length} fields are not valid;`))
    })

    test(`${request}: those of its schema and of its rules together`, async () => {
      const [member, path] = wrong
      const body = rest.body === undefined ? {} : { body: { ...rest.body, ...member } }
      const reply = await call({ request, ...rest, ...body }, rest.body === undefined ? '&page=0' : '')
      const expected = new Set([...paths.filter((one) => one !== '/body'), path, ...paths])
      assert.deepEqual([reply.status, pathsIn(reply.body)], [400, [...expected].sort()], JSON.stringify(reply.body))
      assert.equal(reply.body.code, 'VALIDATION_ERROR')
    })
  }

  test('in the query, the body and the headers', async () => {
    const reply = await app.call({
      method: 'PUT',
      url: `/admin/cms/blocks/by-key/${unique('b')}?locale=zz-&lang=en`,
      headers: app.admin,
      body: { type: 'number', value: 'x', note: 1 },
    })
    assert.deepEqual(pathsIn(reply.body), ['/body/note', '/body/value', '/query/lang', '/query/locale'])
    const keyed = await call({ request: 'POST /v1/webhooks/endpoints', as: 'user', body: { url: 'ftp://x' } })
    assert.deepEqual(pathsIn(keyed.body), ['/body/url'])
    const headers = { ...user.headers, 'idempotency-key': '\u00e9' }
    const both = await app.call({
      method: 'POST',
      url: '/v1/webhooks/endpoints',
      headers,
      body: { url: 'ftp://x', a: 1 },
    })
    assert.deepEqual(pathsIn(both.body), ['/body/a', '/body/url', '/headers/idempotency-key'])
  })

  test('also in the sections beside one that its schema refuses', async () => {
    const sections = [{ type: 'hero', order: 'first' }, { type: 'hero' }, 5, { type: 'cta' }]
    const reply = await call({ request: 'POST /admin/cms/pages', body: { slug: unique('p'), title: 'x', sections } })
    assert.deepEqual(pathsIn(reply.body), [
      '/body/sections/0/order',
      '/body/sections/1/content/heading',
      '/body/sections/2',
      '/body/sections/3/content/heading',
    ])
  })

  test('and explains twenty of more', async () => {
    const sections = Array.from({ length: 30 }, () => ({ type: 'hero' }))
    const reply = await call({ request: 'POST /admin/cms/pages', body: { slug: unique('p'), title: 'x', sections } })
    assert.equal(reply.body.errors.length, 20)
    assert.match(
      reply.body.detail,
      /^20 or more fields are not valid; `errors` names them\. The first: \/body\/sections\/0/,
    )
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]))
    const strange = await call({ request: 'POST /admin/tenants', body: unknown })
    assert.equal(strange.body.errors.length, 20)
    assert.match(strange.body.detail, /^20 or more fields/)
  })

  test('a draft names every member that it has not, beside its other faults', async () => {
    const page = { slug: unique('p'), title: 'x' }
    const { body } = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body: page })
    const url = `/admin/cms/pages/${body.page.id}?draft=true`
    const change = { slug: 'y', status: 'DRAFT', sections: [{ type: 'hero' }] }
    const reply = await app.call({ method: 'PUT', url, headers: app.admin, body: change })
    assert.deepEqual(pathsIn(reply.body), ['/body/sections/0/content/heading', '/body/slug', '/body/status'])
  })

  test('a refusal with one kind of fault keeps its code, and is repeated as it was under its key', async () => {
    const headers = { ...user.headers, 'idempotency-key': unique('k') }
    const body = { email: 'nobody', password: 'short' }
    const first = await app.call({ method: 'POST', url: '/vault/v1/auth/register', headers, body })
    const again = await app.call({ method: 'POST', url: '/vault/v1/auth/register', headers, body })
    assert.deepEqual(pathsIn(again.body), pathsIn(first.body))
    const weak = { email: 'a@example.com', password: 'short' }
    const { body: refused } = await app.call({
      method: 'POST',
      url: '/vault/v1/auth/register',
      headers: user.headers,
      body: weak,
    })
    assert.deepEqual(
      [refused.code, refused.detail],
      ['PASSWORD_REJECTED', 'Use at least 8 characters. A few words make a good password.'],
    )
    const unknown = { name: 'k', products: ['nope', 'neither'] }
    const key = await call({ request: 'POST /admin/tenants/:tenantId/api-keys', body: unknown })
    assert.deepEqual([key.body.code, pathsIn(key.body)], ['UNKNOWN_PRODUCT', ['/body/products/0', '/body/products/1']])
  })

  test('also in every record and part of a bundle', async () => {
    const product = { slug: unique('p'), name: 'P', type: 'API' }
    const parts = {
      products: [
        {
          ...product,
          plans: [
            { code: '!', name: 'a' },
            { code: '?', name: 'b' },
          ],
        },
        { ...product, slug: unique('p'), type: 'MOON' },
      ],
      pages: [{ slug: unique('p'), title: 'x', sections: [{ type: 'hero' }, { type: 'Faq' }] }],
      blocks: [{ key: unique('b'), type: 'number', value: 'x' }],
    }
    const body = { format: 'atrium.bundle', version: 1, parts }
    const reply = await call({ request: 'POST /admin/cms/bundle', body })
    assert.deepEqual(pathsIn(reply.body), [
      '/body/parts/blocks/0/value',
      '/body/parts/pages/0/sections/0/content/heading',
      '/body/parts/pages/0/sections/1/type',
      '/body/parts/products/0/plans/0/code',
      '/body/parts/products/0/plans/1/code',
      '/body/parts/products/1/type',
    ])
  })

  test('paging outside its range keeps its code only where nothing else is wrong', async () => {
    const { body } = await app.call({ url: '/admin/products?page=0&limit=1000', headers: app.admin })
    assert.deepEqual([body.code, pathsIn(body)], ['INVALID_PAGINATION', ['/query/limit', '/query/page']])
  })
})
