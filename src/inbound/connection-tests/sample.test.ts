import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { createConnection, tenantAdministrator, webhooks } from '../../../test/harness/inbound.ts'

describe('a test delivery, with the schemes of the providers', () => {
  let app: TestApp
  let owner: TestUser
  before(async () => {
    app = await testApp()
    owner = await tenantAdministrator(app)
  })

  const tried = async (scheme: string, overrides: object) => {
    const { id } = await createConnection(app, owner, { scheme, ...overrides })
    return app.call({ method: 'POST', url: `${webhooks}/connections/${id}/test`, headers: owner.headers })
  }

  test('has the effects of a delivery for each scheme with a secret, also a second time', async () => {
    const secret = 'a secret that the provider shows'
    const expected: [string, object, string[]][] = [
      ['jira-hmac', {}, ['task']],
      ['jira-jwt', { secret }, ['task']],
      ['linear', { secret }, ['task']],
      ['github', {}, ['task']],
      ['slack', { secret }, ['answer']],
      ['graph', {}, []],
      ['mailgun', { secret }, ['message']],
      ['postmark', {}, ['message']],
    ]
    for (const [scheme, overrides, kinds] of expected) {
      const { body } = await tried(scheme, overrides)
      assert.equal(body.status, kinds.length > 0 ? 'processed' : 'ignored', `${scheme}: ${body.detail}`)
      assert.deepEqual(
        body.effects.map(({ kind }: { kind: string }) => kind),
        kinds,
        scheme,
      )
    }
  })

  test('says that only the provider can sign, for each scheme whose key we do not have', async () => {
    const keyed = { secret: 'a public key of the provider' }
    const settings = { settings: { topicArns: ['arn:aws:sns:eu-west-1:1:mail'], appId: 'app' } }
    for (const [scheme, overrides] of [
      ['sns', settings],
      ['bot-framework', settings],
      ['sendgrid', keyed],
    ] as const) {
      const { status, body } = await app
        .call({
          method: 'POST',
          url: `${webhooks}/connections`,
          headers: owner.headers,
          body: { scheme, name: scheme, ...overrides },
        })
        .then(({ body: made }) =>
          app.call({
            method: 'POST',
            url: `${webhooks}/connections/${made.connection.id}/test`,
            headers: owner.headers,
          }),
        )
      assert.deepEqual([status, body.code], [409, 'STATE_CONFLICT'], scheme)
    }
  })
})
