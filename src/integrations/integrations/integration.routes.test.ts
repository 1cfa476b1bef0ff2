import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestKey, TestUser } from '../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
} from '../../../test/harness/integrations.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { exampleValue } from '../../http/openapi/schemas.ts'
import { pathParamNames } from '../../http/route.ts'

let lab: IntegrationLab
let key: TestKey
let owner: TestUser
let orgId: string
before(async () => {
  lab = await integrationLab()
  key = await lab.app.apiKey(await lab.app.tenant())
  const orgs = organizationCalls(lab.app)
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
})
after(() => lab.close())

const call = (user: TestUser, method: string, path: string, body?: object, headers: object = {}) =>
  lab.app.call({ method, url: `${base}${path}`, headers: { ...user.headers, ...headers }, ...(body && { body }) })
const connect = (user: TestUser, options: { provider: string; features: string[]; orgId?: string }) =>
  connectAccount(lab.app.call, user, options)

test('only an integration of an organization takes a rule', async () => {
  const own = await connect(owner, { provider: 'slack', features: ['post'] })
  const shared = await connect(owner, { provider: 'slack', features: ['post'], orgId })
  const change = (id: string, settings: object) =>
    call(owner, 'PATCH', `/${id}`, { features: [{ name: 'post', settings }] })
  const target = { channelId: 'C0GENERAL' }
  assert.equal((await change(shared.id, { when: 'completed', target })).status, 200)
  const refused = await change(own.id, { when: 'completed', target })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].path, '/body/features/0/settings/when')
  const kept = await change(own.id, { when: 'manual', target })
  assert.deepEqual(kept.body.integration.features[0].settings, { when: 'manual', target })
})

test('a change needs the revision that was read, and a feature its scopes', async () => {
  const user = await lab.app.user(key)
  const made = await connect(user, { provider: 'google', features: ['calendar'] })
  const patch = (features: object[], headers = {}) => call(user, 'PATCH', `/${made.id}`, { features }, headers)
  assert.equal((await patch([{ name: 'calendar', status: 'off' }], { 'if-match': '"999"' })).status, 412)
  const off = await patch([{ name: 'calendar', status: 'off' }], { 'if-match': `"${made.id}-${made.revision}"` })
  assert.equal(off.body.integration.features[0].status, 'off')
  assert.equal((await patch([{ name: 'export', status: 'on' }])).body.code, 'SCOPE_MISSING')
  assert.equal((await patch([{ name: 'crm', status: 'on' }])).status, 400, 'not a feature of Google')
})

test('every route answers for a foreign integration or action as for one that never existed, and changes nothing', async () => {
  const integration = await connect(owner, { provider: 'github', features: ['tasks'] })
  const task = await lab.app.call({
    method: 'POST',
    url: `/assistant/v1/orgs/${orgId}/tasks`,
    headers: owner.headers,
    body: { title: 'Order the parts' },
  })
  const asked = await call(owner, 'POST', `/${integration.id}/actions`, {
    action: 'create_issue',
    taskId: task.body.task.id,
    target: { repository: 'example/website' },
  })
  const ids: Record<string, string> = { integrationId: integration.id, actionId: asked.body.action.id }
  const strangers = [await lab.app.user(key), await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))]
  const routes = lab.app.routes.filter(
    ({ path, access }) =>
      path.startsWith(base) && access.kind !== 'open' && pathParamNames(path).some((it) => it in ids),
  )
  assert.ok(routes.length >= 12, `${routes.length} routes`)
  const before = await call(owner, 'GET', `/${integration.id}`)
  for (const route of routes)
    for (const stranger of strangers) {
      const replies = []
      for (const known of [ids, { integrationId: '00000000-0000-7000-8000-000000000000', actionId: 'x' }]) {
        const url = pathParamNames(route.path).reduce(
          (path, it) => path.replace(`:${it}`, (known as typeof ids)[it] ?? ''),
          route.path,
        )
        const body = route.body === undefined ? {} : { body: exampleValue(route.body) }
        const { status, body: answer } = await lab.app.call({
          method: route.method,
          url,
          headers: stranger.headers,
          ...body,
        })
        const { requestId, instance, ...said } = answer
        replies.push({ status, said })
      }
      assert.equal(replies[0]?.status, 404, `${route.method} ${route.path}`)
      assert.deepEqual(replies[0], replies[1], `${route.method} ${route.path}`)
    }
  assert.deepEqual((await call(owner, 'GET', `/${integration.id}`)).body, before.body)
})

test('the limit of a tenant and of a user hold, told at the beginning and kept at the end', async () => {
  const tenant = await lab.app.tenant({ limits: { maxIntegrations: 1 } })
  const user = await lab.app.user(await lab.app.apiKey(tenant))
  const begin = (provider: string, features: string[]) => call(user, 'POST', `/${provider}/connect`, { features })
  await connect(user, { provider: 'linear', features: ['tasks'] })
  const full = await begin('zoom', ['transcripts'])
  assert.deepEqual([full.status, full.body.code], [403, 'QUOTA_EXCEEDED'])
  const listed = await lab.app.call({ url: `/admin/tenants/${tenant.id}/quotas`, headers: lab.app.admin })
  assert.match(JSON.stringify(listed.body), /maxIntegrations/)
})

test('ten who connect at once for the last place make one integration', async () => {
  const tenant = await lab.app.tenant({ limits: { maxIntegrations: 1 } })
  const tenantKey = await lab.app.apiKey(tenant)
  const users = await Promise.all(Array.from({ length: 10 }, () => lab.app.user(tenantKey)))
  const made = await Promise.allSettled(users.map((user) => connect(user, { provider: 'linear', features: ['tasks'] })))
  const refusals = made.flatMap((it) => (it.status === 'rejected' ? [String(it.reason)] : []))
  assert.equal(refusals.length, 9)
  assert.deepEqual(
    refusals.filter((refusal) => !refusal.includes('QUOTA_EXCEEDED')),
    [],
  )
})

test('ten who delete it at once end it once, and after that there is none', async () => {
  const user = await lab.app.user(key)
  const { id } = await connect(user, { provider: 'hubspot', features: ['crm'] })
  const ended = await Promise.all(Array.from({ length: 10 }, () => call(user, 'DELETE', `/${id}`)))
  assert.deepEqual(ended.map(({ status }) => status).sort(), [204, ...Array(9).fill(404)])
  assert.equal((await call(user, 'GET', `/${id}`)).status, 404)
})

test('administrators of the platform read its apps as VIEWER, and set them as OWNER', async () => {
  const routes = lab.app.routes.filter(({ path }) => path.startsWith('/admin/integrations/apps'))
  const roles = routes.map(({ method, access }) => [method, access.kind === 'admin' && access.role])
  assert.deepEqual(roles, [
    ['GET', 'VIEWER'],
    ['PUT', 'OWNER'],
    ['DELETE', 'OWNER'],
  ])
})
