import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathParamNames, type Route } from '../../src/http/route.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type TestApp, testApp } from '../harness/app.ts'
import { receivers } from '../harness/receiver.ts'
import { webhookCalls } from '../harness/webhooks.ts'

// What an administrator below OWNER must not read: secrets of tenants that an OWNER reads again.

const urlToken = 'T0K3Nin-the-path-of-the-receiver'
const answerToken = 'T0K3N-that-the-receiver-answered-with'

let app: TestApp
let ids: Record<string, string>
let license: { id: string; key: string }
let administrators: Record<'OWNER' | 'EDITOR' | 'VIEWER', Record<string, string>>
const { listen, close } = receivers()

async function administrator(role: string): Promise<Record<string, string>> {
  const { body } = await app.call({
    method: 'POST',
    url: '/v1/platform/admin/keys',
    headers: app.admin,
    body: { name: 'Ana', role },
  })
  return { 'x-admin-key': body.adminKey.key }
}

function urlOf({ path, query }: Route): string {
  const url = pathParamNames(path).reduce(
    (done, name) => done.replace(`:${name}`, ids[name] ?? newId(new Date())),
    path,
  )
  // Other tests share the tables.
  const isFiltered = Object.hasOwn((query as { properties?: object } | undefined)?.properties ?? {}, 'tenantId')
  return isFiltered ? `${url}?tenantId=${ids['tenantId']}` : url
}

/** Everything that the role can read, by its address. */
async function readAll(role: keyof typeof administrators): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const route of app.routes) {
    if (route.access.kind !== 'admin' || route.method !== 'GET') continue
    const { status, bytes } = await app.call({ url: urlOf(route), headers: administrators[role] })
    if (status === 200) answers.set(route.path, bytes.toString())
  }
  return answers
}

const placesOf = (secret: string, answers: Map<string, string>) =>
  [...answers].filter(([, answer]) => answer.includes(secret)).map(([path]) => path)

const licensePaths = ['/vault/v1/licenses', '/vault/v1/licenses/:key']
const endpoints = '/admin/tenants/:tenantId/webhooks/endpoints'

// Made when its tests begin: the clocks of other files run ahead, and what is old by them is deleted.
describe('the secrets of a tenant', () => {
  before(async () => {
    app = await testApp()
    const hooks = webhookCalls(app)
    const whose = await hooks.subscriber()
    const there = await listen((_request, response) => void response.writeHead(200).end(answerToken))
    const endpoint = await hooks.endpoint(whose, `${there.url}/${urlToken}?sig=${urlToken}`)
    license = await app.license(whose.tenant)
    await hooks.settled()
    ids = { tenantId: whose.tenant.id, endpointId: endpoint.id, key: license.id }
    administrators = {
      OWNER: await administrator('OWNER'),
      EDITOR: await administrator('EDITOR'),
      VIEWER: await administrator('VIEWER'),
    }
  })
  after(close)

  test('an OWNER reads license keys, addresses of receivers and their answers again', async () => {
    const answers = await readAll('OWNER')
    assert.deepEqual(placesOf(license.key, answers), licensePaths)
    assert.deepEqual(placesOf(urlToken, answers), [endpoints, `${endpoints}/:endpointId`])
    assert.deepEqual(placesOf(answerToken, answers), [`${endpoints}/:endpointId/deliveries`])
  })

  for (const role of ['EDITOR', 'VIEWER'] as const) {
    test(`the role ${role} reads none of them anywhere, but hints by which they are recognized`, async () => {
      const answers = await readAll(role)
      for (const secret of [license.key, urlToken, answerToken]) assert.deepEqual(placesOf(secret, answers), [])
      for (const path of licensePaths) {
        assert.ok(answers.get(path)?.includes(`"key":null,"keyHint":"${license.key.slice(-5)}"`), path)
      }
      for (const path of [endpoints, `${endpoints}/:endpointId`]) {
        assert.match(answers.get(path) ?? '', /"url":null,"urlHint":"http:\/\/127\.0\.0\.1:\d+"/)
      }
      assert.match(answers.get(`${endpoints}/:endpointId/deliveries`) ?? '', /"statusCode":200,"answer":null/)
    })
  }

  test('every route that takes a license key in its path takes the id instead', async () => {
    const routes = app.routes.filter(({ path }) => path.startsWith('/vault/v1/licenses/:key'))
    assert.deepEqual(routes.map(({ name }) => name).sort(), [
      'getLicense',
      'listLicenseUses',
      'revokeLicense',
      'updateLicense',
    ])
    for (const route of routes) {
      const body = route.method === 'PATCH' ? { label: 'by its id' } : undefined
      const reply = await app.call({ method: route.method, url: urlOf(route), headers: app.admin, body })
      assert.equal(reply.status, 200, route.name)
      const unknown = urlOf(route).replace(license.id, newId(new Date()))
      const refused = await app.call({ method: route.method, url: unknown, headers: app.admin, body })
      assert.deepEqual([refused.status, refused.body.code], [404, 'NOT_FOUND'], route.name)
    }
    const { body } = await app.call({ url: `/vault/v1/licenses/${license.key}`, headers: app.admin })
    assert.deepEqual([body.license.label, body.license.status], ['by its id', 'REVOKED'])
  })

  test('a VIEWER asks why a license is refused by its id, without knowing its key', async () => {
    const tenant = await app.tenant()
    const key = await app.apiKey(tenant)
    const { id, key: licenseKey } = await app.license(tenant)
    const ask = (body: object) =>
      app.call({
        method: 'POST',
        url: '/admin/access-check',
        headers: administrators.VIEWER,
        body: { keyId: key.id, ...body },
      })
    const byId = await ask({ licenseId: id })
    assert.equal(byId.status, 200)
    assert.deepEqual(byId.body, (await ask({ licenseKey })).body)
    assert.equal(byId.body.allowed, true)
    for (const licenseId of [newId(new Date()), 'no-id']) {
      const { checks } = (await ask({ licenseId })).body
      const known = checks.find(({ check }: { check: string }) => check === 'LICENSE_KNOWN')
      assert.deepEqual([known.passed, known.detail], [false, 'No license has this id.'])
    }
    assert.equal((await ask({ licenseId: id, licenseKey })).status, 400)
  })
})
