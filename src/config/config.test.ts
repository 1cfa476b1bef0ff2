import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadConfig, readConfig, weakAdminKey } from './config.ts'
import { mistyped } from './mistyped-settings.ts'

test('an admin key that could be guessed stops the start on PostgreSQL, and is warned of elsewhere', () => {
  const DATABASE_URL = 'postgres://db.example/atrium'
  const weak = 'my-company-admin-key'
  assert.throws(
    () => readConfig({ DATABASE_URL, ADMIN_KEY: weak }),
    /^Error: (?!.*my-company)ADMIN_KEY can be guessed: .* 128 bits/,
  )
  assert.match(weakAdminKey(readConfig({ ADMIN_KEY: weak })) ?? '', /^(?!.*my-company)ADMIN_KEY can be guessed/)
  const strong = 'Vb2+kQ9xT4mZ7/rLhD8sWnCe0fJpYuA3'
  assert.equal(weakAdminKey(readConfig({ DATABASE_URL, ADMIN_KEY: strong })), null)
  assert.equal(weakAdminKey(readConfig({ DATABASE_URL })), null)
})

test('a bucket is configured whole or not at all, and its secret is told to nobody', () => {
  const bucket = { S3_BUCKET: 'atrium', S3_ENDPOINT: 'https://s3.example.com', S3_ACCESS_KEY_ID: 'id' }
  const S3_SECRET_ACCESS_KEY = 'top/secret+text'
  assert.throws(
    () => readConfig(bucket),
    new BadConfig('S3_SECRET_ACCESS_KEY must be set because another S3 setting is.'),
  )
  assert.throws(() => readConfig({ S3_SECRET_ACCESS_KEY }), /^Error: (?!.*top\/secret)S3_BUCKET must be set/)
  assert.throws(() => readConfig({ ...bucket, S3_SECRET_ACCESS_KEY: 'top secret' }), /^Error: (?!.*top secret)/)
  const config = readConfig({ ...bucket, S3_SECRET_ACCESS_KEY })
  assert.deepEqual([config.s3Bucket, config.s3Region], ['atrium', 'us-east-1'])
  assert.equal(readConfig({}).s3Bucket, null)
})

test('a mail server without an address to write from stops the start', () => {
  const SMTP_URL = 'smtps://user:s3cret@mail.example:465'
  assert.throws(() => readConfig({ SMTP_URL }), new BadConfig('MAIL_FROM must be set because SMTP_URL is.'))
  assert.equal(readConfig({ SMTP_URL, MAIL_FROM: 'no-reply@mail.example' }).smtpUrl, SMTP_URL)
  for (const MAIL_FROM of ['nobody', 'a@b@c', 'a@b.example\r\nBcc: x@y.example', 'Ana <a@b.example>'])
    assert.throws(() => readConfig({ MAIL_FROM }), /^Error: MAIL_FROM must be an e-mail address\.$/)
  assert.throws(() => readConfig({ SMTP_URL: 'http://user:s3cret@mail.example' }), /^Error: (?!.*s3cret)/)
})

test('a provider of inbound webhooks has one secret, and a second one stops the start without being told', () => {
  const INBOUND_SECRETS = 'github=the-first-secret,slack=another-secret,github=the-second-secret'
  assert.throws(() => readConfig({ INBOUND_SECRETS }), /INBOUND_SECRETS must be pairs of `scheme=secret`.*, each once/)
  assert.throws(() => readConfig({ INBOUND_SECRETS: 'github=the-secret,slack' }), BadConfig)
  const { inboundSecrets } = readConfig({ INBOUND_SECRETS: 'github=a=secret, slack=b=secret' })
  assert.deepEqual(
    [...inboundSecrets],
    [
      ['github', 'a=secret'],
      ['slack', 'b=secret'],
    ],
  )
})

test('a variable that is nearly a setting is told with the setting, and no other variable of a machine is', () => {
  assert.deepEqual(mistyped({ RATE_LIMT_MAX: '10', REDIS_URI: 'redis://x', DATABASE_ULR: 'postgres://x' }), [
    'RATE_LIMT_MAX is not a setting. Did you mean RATE_LIMIT_MAX?',
    'REDIS_URI is not a setting. Did you mean REDIS_URL?',
    'DATABASE_ULR is not a setting. Did you mean DATABASE_URL?',
  ])
  const usual = { PATH: '', HOME: '', HOSTNAME: '', POST: '', TERM: '', HTTP_PROXY: '', AWS_REGION: '', NODE_ENV: '' }
  assert.deepEqual(mistyped({ ...usual, PORT: '80', npm_config_registry: '', RATE_LIMIT_MAX: '10' }), [])
})
