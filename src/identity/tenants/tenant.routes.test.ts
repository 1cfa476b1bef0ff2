import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, testLimits, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'

const unknownId = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'

describe('tenants', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })

  const create = (body: unknown, headers: Record<string, string> = {}) =>
    app.call({ method: 'POST', url: '/admin/tenants', headers: { ...app.admin, ...headers }, body })
  const get = (id: string) => app.call({ url: `/admin/tenants/${id}`, headers: app.admin })
  const patch = (id: string, body: unknown) =>
    app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body })
  const remove = (id: string, confirm?: string) => {
    const query = confirm === undefined ? '' : `?confirm=${encodeURIComponent(confirm)}`
    return app.call({ method: 'DELETE', url: `/admin/tenants/${id}${query}`, headers: app.admin })
  }
  const list = (query: string) => app.call({ url: `/admin/tenants?${query}`, headers: app.admin })
  const newTenant = (overrides: object = {}) => {
    const slug = unique('t')
    return { name: 'Acme Networks', slug, contactEmail: `ops@${slug}.example`, ...overrides }
  }
  const builtInId = async () =>
    (await list('q=platform')).body.tenants.find((t: { slug: string }) => t.slug === 'platform').id

  test('a new tenant is active, without a key or a whitelabel config, and has the default limits', async () => {
    const sent = newTenant({ name: '  Acme Networks ', contactEmail: ' Ops@Acme.EXAMPLE ' })
    const { status, headers, body } = await create(sent)
    assert.equal(status, 201)
    assert.equal(headers.location, `/admin/tenants/${body.tenant.id}`)
    const now = app.clock.now().toISOString()
    assert.deepEqual(body.tenant, {
      id: body.tenant.id,
      name: 'Acme Networks',
      slug: sent.slug,
      contactEmail: 'ops@acme.example',
      status: 'ACTIVE',
      apiKey: null,
      limits: { ...testLimits, requestsPerWindow: null },
      products: [],
      whitelabelConfig: null,
      createdAt: now,
      updatedAt: now,
    })
    assert.deepEqual((await get(body.tenant.id)).body, body)
  })

  test('limits and a whitelabel config can be set at creation', async () => {
    const whitelabelConfig = {
      displayName: 'Acme VPN',
      logoUrl: 'https://cdn.acme.example/a/logo.svg?v=2#x',
      faviconUrl: 'https://cdn.acme.example:8443',
      primaryColor: '#0057B8',
      supportEmail: 'Help@Acme.example',
      supportUrl: 'https://help.acme.example/',
      customDomain: 'vpn.acme.example',
      emailFromName: "Acme's Support & Co",
    }
    const { status, body } = await create(
      newTenant({ limits: { maxUsers: 0, maxStorageBytes: 2 ** 53 - 1 }, whitelabelConfig }),
    )
    assert.equal(status, 201)
    assert.deepEqual(body.tenant.whitelabelConfig, { ...whitelabelConfig, supportEmail: 'help@acme.example' })
    assert.deepEqual([body.tenant.limits.maxUsers, body.tenant.limits.maxStorageBytes], [0, 2 ** 53 - 1])
    assert.deepEqual((await get(body.tenant.id)).body, body)
  })

  test('invalid members are rejected with their path', async () => {
    const wrong: [object, string][] = [
      [{ name: ' ' }, '/body/name'],
      [{ name: 'a\nb' }, '/body/name'],
      [{ name: 'a'.repeat(121) }, '/body/name'],
      [{ name: null }, '/body/name'],
      [{ slug: 'Acme' }, '/body/slug'],
      [{ slug: '-acme' }, '/body/slug'],
      [{ slug: 'acme-' }, '/body/slug'],
      [{ slug: 'a_b' }, '/body/slug'],
      [{ slug: 'a'.repeat(64) }, '/body/slug'],
      [{ slug: 'acme\n' }, '/body/slug'],
      [{ contactEmail: 'nobody' }, '/body/contactEmail'],
      [{ contactEmail: 'a@b@c.example' }, '/body/contactEmail'],
      [{ status: 'SUSPENDED' }, '/body/status'],
      [{ id: unknownId }, '/body/id'],
      [{ limits: { maxUsers: -1 } }, '/body/limits/maxUsers'],
      [{ limits: { maxUsers: 1.5 } }, '/body/limits/maxUsers'],
      [{ limits: { maxUsers: 2 ** 53 } }, '/body/limits/maxUsers'],
      [{ limits: { requestsPerWindow: 0 } }, '/body/limits/requestsPerWindow'],
      [{ limits: { requestsPerWindow: 1_000_000_001 } }, '/body/limits/requestsPerWindow'],
      [{ limits: { maxSheep: 1 } }, '/body/limits/maxSheep'],
      [{ limits: [] }, '/body/limits'],
      [{ whitelabelConfig: { css: 'x' } }, '/body/whitelabelConfig/css'],
      [{ whitelabelConfig: { logoUrl: 'http://cdn.acme.example/l.svg' } }, '/body/whitelabelConfig/logoUrl'],
      [{ whitelabelConfig: { logoUrl: 'javascript:alert(1)' } }, '/body/whitelabelConfig/logoUrl'],
      [{ whitelabelConfig: { logoUrl: 'https://user:pass@acme.example' } }, '/body/whitelabelConfig/logoUrl'],
      [{ whitelabelConfig: { supportUrl: 'https://acme.example/"><script>' } }, '/body/whitelabelConfig/supportUrl'],
      [{ whitelabelConfig: { primaryColor: 'red' } }, '/body/whitelabelConfig/primaryColor'],
      [{ whitelabelConfig: { primaryColor: '#12345g' } }, '/body/whitelabelConfig/primaryColor'],
      [{ whitelabelConfig: { customDomain: 'https://vpn.acme.example' } }, '/body/whitelabelConfig/customDomain'],
      [{ whitelabelConfig: { supportEmail: 'nobody' } }, '/body/whitelabelConfig/supportEmail'],
      [
        { whitelabelConfig: { emailFromName: 'Acme\r\nBcc: all@acme.example' } },
        '/body/whitelabelConfig/emailFromName',
      ],
      [{ whitelabelConfig: { displayName: '<b>Acme</b>' } }, '/body/whitelabelConfig/displayName'],
    ]
    for (const [overrides, path] of wrong) {
      const { status, body } = await create(newTenant(overrides))
      assert.deepEqual(
        [status, body.code, body.errors[0].path],
        [400, 'VALIDATION_ERROR', path],
        JSON.stringify(overrides),
      )
    }
    for (const member of ['name', 'slug', 'contactEmail']) {
      assert.equal((await create(newTenant({ [member]: undefined }))).body.errors[0].code, 'required')
    }
  })

  test('without the admin key, or with a wrong one, the answer is 401', async () => {
    const { id } = await app.tenant()
    const requests = [
      { method: 'POST', url: '/admin/tenants', body: newTenant() },
      { url: '/admin/tenants' },
      { url: `/admin/tenants/${id}` },
      { method: 'PATCH', url: `/admin/tenants/${id}`, body: {} },
      { method: 'DELETE', url: `/admin/tenants/${id}?confirm=x` },
    ]
    for (const request of requests) {
      assert.deepEqual(codeOf(await app.call(request)), [401, 'ADMIN_KEY_MISSING'])
      assert.deepEqual(codeOf(await app.call({ ...request, headers: { 'x-admin-key': 'wrong' } })), [
        401,
        'ADMIN_KEY_INVALID',
      ])
    }
  })

  test('a taken slug is refused', async () => {
    const { slug } = await app.tenant()
    assert.deepEqual(codeOf(await create(newTenant({ slug }))), [409, 'SLUG_TAKEN'])
    assert.deepEqual(codeOf(await create(newTenant({ slug: 'platform' }))), [409, 'SLUG_TAKEN'])
  })

  test('of twenty parallel creations with one slug one succeeds', async () => {
    const slug = unique('race')
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(newTenant({ slug }))))
    assert.deepEqual(answers.map(codeOf).sort(), [[201, undefined], ...Array(19).fill([409, 'SLUG_TAKEN'])])
    assert.equal((await list(`q=${slug}`)).body.pagination.total, 1)
  })

  test('one Idempotency-Key creates one tenant', async () => {
    const sent = newTenant()
    const key = { 'idempotency-key': unique('order') }
    const first = await create(sent, key)
    const second = await create(sent, key)
    assert.equal(first.status, 201)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.deepEqual(codeOf(await create({ ...sent, name: 'Other' }, key)), [422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('the list is newest first, and is filtered by status and by part of the name or slug', async () => {
    const mark = unique('mark')
    const ids: string[] = []
    for (const name of [`${mark.toUpperCase()} one`, 'two', '100% three']) {
      app.clock.advance({ ms: 1 })
      ids.unshift((await create(newTenant({ name, slug: unique(mark) }))).body.tenant.id)
    }
    await patch(ids[0] ?? '', { status: 'SUSPENDED' })
    const idsOf = async (query: string) => (await list(query)).body.tenants.map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsOf(`q=${mark}`), ids)
    assert.deepEqual(await idsOf(`q=${mark.toUpperCase()}`), ids)
    assert.deepEqual(await idsOf(`q=${mark}&status=SUSPENDED`), ids.slice(0, 1))
    assert.deepEqual(await idsOf(`q=${mark}&status=ACTIVE`), ids.slice(1))
    assert.deepEqual(await idsOf(`q=${mark}%25`), [], 'a percent sign is no wildcard')
    const { body } = await list(`q=${mark}&limit=2&page=2`)
    assert.deepEqual(
      body.tenants.map(({ id }: { id: string }) => id),
      ids.slice(2),
    )
    assert.deepEqual(body.pagination, { page: 2, limit: 2, total: 3, totalPages: 2 })
    assert.deepEqual((await list(`q=${mark}&page=9`)).body, {
      tenants: [],
      pagination: { page: 9, limit: 20, total: 3, totalPages: 1 },
    })
  })

  test('an unknown query parameter is rejected', async () => {
    for (const query of ['page=0', 'page=x', 'limit=101', 'limit='])
      assert.deepEqual(codeOf(await list(query)), [400, 'INVALID_PAGINATION'], query)
    for (const query of ['status=active', 'status=DELETED', 'q=', 'name=acme', 'q=%00'])
      assert.deepEqual(codeOf(await list(query)), [400, 'VALIDATION_ERROR'], query)
  })

  test('an unknown and a malformed id give the same 404', async () => {
    const bodies = new Set<string>()
    for (const id of [unknownId, 'x', unknownId.toUpperCase()]) {
      for (const answer of [await get(id), await patch(id, {}), await remove(id, 'acme')]) {
        assert.equal(answer.status, 404)
        bodies.add(JSON.stringify({ ...answer.body, requestId: null }))
      }
    }
    assert.equal(bodies.size, 1)
  })

  test('a PATCH keeps absent members, and an empty one changes nothing', async () => {
    const { body } = await create(
      newTenant({ limits: { maxUsers: 10, maxDevices: 5 }, whitelabelConfig: { displayName: 'Acme' } }),
    )
    const { tenant } = body
    app.clock.advance({ seconds: 1 })
    assert.deepEqual((await patch(tenant.id, {})).body, { tenant })
    assert.deepEqual((await patch(tenant.id, { name: tenant.name, limits: {} })).body, { tenant })
    assert.equal(
      (await auditOfTenant(app.platform, tenant.id)).length,
      1,
      'nothing changed, so nothing was written down',
    )

    const changed = await patch(tenant.id, {
      limits: { maxUsers: null, maxMeetings: 3 },
      whitelabelConfig: { primaryColor: '#000000' },
    })
    assert.equal(changed.status, 200)
    const expected = {
      ...tenant,
      limits: { ...tenant.limits, maxUsers: null, maxMeetings: 3 },
      whitelabelConfig: { ...tenant.whitelabelConfig, primaryColor: '#000000' },
      updatedAt: app.clock.now().toISOString(),
    }
    assert.deepEqual(changed.body.tenant, expected)
    assert.deepEqual((await get(tenant.id)).body.tenant, expected)

    const cleared = await patch(tenant.id, {
      limits: null,
      whitelabelConfig: null,
      name: 'New',
      contactEmail: 'new@acme.example',
    })
    assert.equal(cleared.body.tenant.whitelabelConfig, null)
    assert.deepEqual(cleared.body.tenant.limits, { ...testLimits, requestsPerWindow: null })
    assert.deepEqual([cleared.body.tenant.name, cleared.body.tenant.contactEmail], ['New', 'new@acme.example'])
  })

  test('invalid members of a PATCH are rejected', async () => {
    const { id } = await app.tenant()
    const wrong = [
      { slug: 'other' },
      { id: unknownId },
      { name: null },
      { contactEmail: null },
      { status: null },
      { status: 'DELETED' },
      { createdAt: '2026-01-01T00:00:00Z' },
      [],
    ]
    for (const body of wrong)
      assert.deepEqual(codeOf(await patch(id, body)), [400, 'VALIDATION_ERROR'], JSON.stringify(body))
  })

  test('parallel PATCHes of different limits are all applied', async () => {
    const { id } = await app.tenant()
    const names = ['maxUsers', 'maxApiKeys', 'maxDevices', 'maxMeetings', 'maxActiveSessions']
    await Promise.all(names.map((name) => patch(id, { limits: { [name]: 7 } })))
    const { limits } = (await get(id)).body.tenant
    for (const name of names) assert.equal(limits[name], 7, name)
  })

  test('the built-in tenant can be changed, but neither suspended nor deleted', async () => {
    const id = await builtInId()
    assert.deepEqual(codeOf(await patch(id, { status: 'SUSPENDED' })), [409, 'STATE_CONFLICT'])
    assert.deepEqual(codeOf(await remove(id, 'platform')), [409, 'STATE_CONFLICT'])
    assert.equal((await patch(id, { status: 'ACTIVE' })).status, 200)
  })

  test('nodes that start in parallel create one built-in tenant', async () => {
    const id = await builtInId()
    await Promise.all(Array.from({ length: 5 }, () => app.app.prepare()))
    assert.equal(await builtInId(), id)
    assert.equal((await auditOfTenant(app.platform, id)).filter(({ action }) => action === 'tenant.create').length, 1)
  })
})
