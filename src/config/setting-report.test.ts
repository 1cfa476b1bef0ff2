import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../../test/harness/app.ts'
import { readConfig, settings } from './config.ts'
import { settingReport } from './setting-report.ts'

const report = (environment: Record<string, string>) =>
  settingReport(environment, {
    config: readConfig(environment),
    adminKey: { value: environment['ADMIN_KEY'] ?? `atradmin_${randomBytes(24).toString('base64url')}`, from: 'kept' },
  })
const codes = (environment: Record<string, string>) => report(environment).warnings.map(({ code }) => code)

const secrets = {
  ADMIN_KEY: 'k3y-of-the-administrator-Zq81-4711',
  MASTER_KEY: '5ec2e7'.repeat(11).slice(0, 64),
  DATABASE_URL: 'postgres://atrium:passw0rd-of-db@db.example:5432/atrium',
  REDIS_URL: 'redis://:passw0rd-of-redis@redis.example',
  SMTP_URL: 'smtps://mail:passw0rd-of-smtp@mail.example:465',
  MAIL_FROM: 'atrium@example.com',
  S3_BUCKET: 'bucket',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'AKIA-of-s3',
  S3_SECRET_ACCESS_KEY: 'secret-of-s3',
  LLM_BASE_URL: 'https://me:passw0rd-of-llm@llm.example/v1',
  LLM_MODEL: 'small',
  LLM_API_KEY: 'key-of-llm',
  INBOUND_SECRETS: 'github=secret-of-github',
  INBOUND_TENANT: 'northwind',
}

test('a report of the settings holds no secret, and says where each comes from', () => {
  const { settings: shown } = report(secrets)
  assert.equal(shown.length, Object.keys(settings).length)
  assert.doesNotMatch(JSON.stringify(shown), /passw0rd|-of-|5ec2e7/)
  const of = (name: string) => {
    const { value, source, isSecret } = shown.find((each) => each.name === name) ?? assert.fail(name)
    return [value, source, isSecret]
  }
  assert.deepEqual(of('DATABASE_URL'), ['db.example:5432/atrium', 'ENVIRONMENT', false])
  assert.deepEqual(of('MASTER_KEY'), [null, 'ENVIRONMENT', true])
  assert.deepEqual(of('PORT'), ['8080', 'DEFAULT', false])
  assert.deepEqual(of('LLM_MODEL'), ['small', 'ENVIRONMENT', false])
  const kept = report({}).settings.find(({ name }) => name === 'ADMIN_KEY')
  assert.deepEqual([kept?.value, kept?.source], [null, 'DATA_FOLDER'])
})

test('every setting that can hold a password is a secret, or shown without it', () => {
  const password = 'p4ssw0rd'
  for (const [name, [variable, reader]] of Object.entries(settings)) {
    const { isSecret } = report({}).settings.find((each) => each.name === variable) ?? assert.fail(variable)
    assert.equal(isSecret, /(?<!PUBLIC|TLS)_(?:KEY|SECRETS?|KEY_ID)$|TOKEN$|PASSWORD/.test(variable), variable)
    const address = ['https', 'postgres', 'redis', 'smtp'].map((scheme) => `${scheme}://user:${password}@host.example`)
    for (const text of address.filter((each) => reader.read(each) !== undefined)) {
      const config = { ...readConfig({}), [name]: text }
      const shown = settingReport({ [variable]: text }, { config, adminKey: { value: 'x', from: 'kept' } })
      assert.ok(!JSON.stringify(shown.settings).includes(password), variable)
    }
  }
})

test('warnings name what should be changed, and how', () => {
  const { warnings } = report({})
  assert.deepEqual(codes({}), ['NO_MAIL_SERVER', 'NO_PUBLIC_URL', 'EXAMPLE_VPN_SERVER'])
  for (const { message, fix } of warnings) assert.ok(message.endsWith('.') && fix.length > 20)
  const strong = { ...secrets, REDIS_URL: '', PUBLIC_URL: 'https://atrium.example' }
  assert.deepEqual(codes(strong), ['NO_TRUSTED_PROXY', 'EXAMPLE_VPN_SERVER', 'NO_REDIS'])
  const risky = { BROWSER_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', ADMIN_KEY: 'too-short-by-far' }
  assert.deepEqual(codes(risky).slice(3), ['INSECURE_SIGN_IN', 'PRIVATE_WEBHOOKS', 'WEAK_ADMIN_KEY'])
})

test('administrators read the report of the node', async () => {
  const app = await testApp({ settingReport: report({}) })
  const { status, body } = await app.call({ url: '/v1/platform/admin/settings', headers: app.admin })
  assert.deepEqual([status, body.version, body.nodeVersion], [200, '0.0.0-test', process.versions.node])
  assert.deepEqual(body.warnings, report({}).warnings)
})
