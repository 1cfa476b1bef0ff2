import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endUser, open, tenantAdmin } from './access/access.ts'
import { noContent } from './answer.ts'
import { mount, tenantMount, v1Mount } from './mounts.ts'
import { route } from './route.ts'

const declaration = {
  method: 'GET',
  path: '/v1/things/:thingId',
  name: 'getThing',
  tag: 'Things',
  summary: 'Get a thing',
}
const forAdmins = tenantMount('/v1/things', async () => true)

test('a route of tenant administrators is served to administrators of the platform under the tenant', () => {
  const thing = route({
    ...declaration,
    method: 'GET',
    access: tenantAdmin(),
    answers: { 204: null },
    handle: async () => noContent(),
  })
  const [mounted] = mount([thing], [forAdmins])
  assert.equal(mounted?.path, '/admin/tenants/:tenantId/things/:thingId')
  assert.equal(mounted?.name, 'getTenantThing')
  assert.deepEqual(mounted?.access, { kind: 'admin', role: 'VIEWER' })
  // Another credential and another parameter: the reference describes both.
  assert.equal(mounted?.aliasOf, undefined)
  assert.equal(mounted?.summary, 'Get a thing (platform administrators)')
})

test('a route whose handler is given a user cannot be served to administrators of the platform', () => {
  const own = route({
    ...declaration,
    method: 'GET',
    access: endUser(),
    answers: { 204: null },
    handle: async () => noContent(),
  })
  assert.throws(() => mount([own], [forAdmins]), /getThing cannot be mounted/)
})

test('a route below another prefix is an alias of the declared one', () => {
  const thing = route({
    ...declaration,
    method: 'GET',
    access: open('things are public'),
    answers: { 204: null },
    handle: async () => noContent(),
  })
  const [mounted] = mount([thing], [v1Mount('/v2')])
  assert.deepEqual([mounted?.path, mounted?.aliasOf], ['/v2/v1/things/:thingId', 'getThing'])
})
