import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadConfig, readConfig } from './config.ts'

test('a mail server without an address to write from stops the start', () => {
  const SMTP_URL = 'smtps://user:s3cret@mail.example:465'
  assert.throws(() => readConfig({ SMTP_URL }), new BadConfig('MAIL_FROM must be set where SMTP_URL is.'))
  assert.equal(readConfig({ SMTP_URL, MAIL_FROM: 'no-reply@mail.example' }).smtpUrl, SMTP_URL)
  for (const MAIL_FROM of ['nobody', 'a@b@c', 'a@b.example\r\nBcc: x@y.example', 'Ana <a@b.example>'])
    assert.throws(() => readConfig({ MAIL_FROM }), /^Error: MAIL_FROM must be an e-mail address\.$/)
  assert.throws(() => readConfig({ SMTP_URL: 'http://user:s3cret@mail.example' }), /^Error: (?!.*s3cret)/)
})
