import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endUser, tenantAdmin } from './access/access.ts'
import { noContent } from './answer.ts'
import { mount, tenantMount } from './mounts.ts'
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
