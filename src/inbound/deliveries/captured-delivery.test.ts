import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createConnection, deliver, inboundApp, tenantAdministrator, webhooks } from '../../../test/harness/inbound.ts'
import { keyPairs, signingProviders } from '../../../test/harness/signing-providers.ts'
import { newId } from '../../kernel/ids.ts'

const { schemes } = signingProviders({ keys: keyPairs() })
let app: Awaited<ReturnType<typeof inboundApp>>
let owner: Awaited<ReturnType<typeof tenantAdministrator>>
before(async () => {
  app = await inboundApp({ inbound: { schemes } })
  owner = await tenantAdministrator(app)
})

const idHeaders = {
  github: 'x-github-delivery',
  linear: 'linear-delivery',
  'jira-hmac': 'x-atlassian-webhook-identifier',
  'jira-jwt': 'x-atlassian-webhook-identifier',
} as const

for (const [name, header] of Object.entries(idHeaders) as [keyof typeof idHeaders, string][]) {
  test(`${name}: a captured delivery that is sent again under another id is a duplicate`, async () => {
    const connection = await createConnection(app, owner, { scheme: name, secret: 'correct horse battery staple' })
    const sampleAt = (now: Date) =>
      schemes[name].sample({ secret: connection.secret, settings: {}, now, id: newId(now) }) ?? assert.fail()
    const sent = sampleAt(app.clock.now())
    const ids = ['one', 'two', 'three'].map((id) => ({ ...sent, headers: { ...sent.headers, [header]: id } }))
    const [first, ...copies] = await Promise.all(ids.map((raw) => deliver(app, connection.path, raw)))
    const stored = await app.call({
      url: `${webhooks}/deliveries?connectionId=${connection.id}`,
      headers: owner.headers,
    })
    assert.equal(stored.body.deliveries.length, 1)
    const deliveryId = first?.body.deliveryId
    for (const { status, body } of copies) assert.deepEqual([status, body.deliveryId], [200, deliveryId])
    const { body } = await app.call({ url: `${webhooks}/deliveries/${deliveryId}`, headers: owner.headers })
    assert.equal(body.delivery.duplicates, 2)

    app.clock.advance({ seconds: 1 })
    const next = sampleAt(app.clock.now())
    const answer = await deliver(app, connection.path, next)
    assert.equal(answer.body.status, 'accepted', 'another event')
    const mixed = { ...next, headers: { ...next.headers, [header]: 'one' } }
    assert.deepEqual((await deliver(app, connection.path, mixed)).body.status, 'duplicate')
  })
}

test('the same body reaches another connection', async () => {
  const secret = 'correct horse battery staple'
  const now = app.clock.now()
  const sent = schemes.github.sample({ secret, settings: {}, now, id: newId(now) }) ?? assert.fail()
  for (const tenant of [owner, owner, await tenantAdministrator(app)]) {
    const { path } = await createConnection(app, tenant, { secret })
    assert.equal((await deliver(app, path, sent)).body.status, 'accepted')
  }
})
