import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlHint } from './endpoint.rules.ts'

const hints: [url: string, hint: string][] = [
  ['https://hooks.slack.com/services/T0/B0/s3cr3t', 'https://hooks.slack.com'],
  ['https://example.com:8443/?sig=s3cr3t', 'https://example.com:8443'],
  ['https://eo3kd9s8f7h2kq.m.pipedream.net/', 'https://….m.pipedream.net'],
  ['https://0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57.webhook.site/a', 'https://….webhook.site'],
  // The registered name itself is no token, however long.
  ['https://hooks.a-very-long-company-name.com/x', 'https://hooks.a-very-long-company-name.com'],
  ['http://127.0.0.1:9000/events', 'http://127.0.0.1:9000'],
  ['https://[2001:db8::1]/hook', 'https://[2001:db8::1]'],
]

for (const [url, hint] of hints) {
  test(`the hint of ${url} is its host without what may be a token`, () => assert.equal(urlHint(url), hint))
}
