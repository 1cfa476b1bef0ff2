import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Visit } from '../../kernel/visit.ts'
import { userAgents } from './user-agents.ts'
import { toVisitRecord } from './visit.rules.ts'
import { createVisitorHash, type VisitorHash } from './visitor-hash.rules.ts'

const at = new Date('2026-11-21T23:59:59.999Z')
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const day = '2026-11-21'
const list = userAgents()
const hashVisitor = createVisitorHash(Buffer.alloc(32, 1))

function read(
  headers: Visit['headers'] = {},
  { url = '/products/x', ip = '198.51.100.7', key = hashVisitor as VisitorHash | null } = {},
) {
  const visit = { ip, url, headers: { 'user-agent': firefox, host: 'atrium.example', ...headers } }
  return toVisitRecord({ event: { type: 'product.view' }, visit, at }, { agentOf: list.of, hashVisitor: key, day })
}

test('a sender is what it calls itself', async () => {
  await list.load()
  for (const [text, device, family] of [
    [firefox, 'desktop', 'Firefox'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'desktop',
      'Chrome',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'desktop',
      'Edge',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'mobile',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'tablet',
      'Chrome',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'mobile',
      'Chrome',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/130.0.0.0 Safari/537.36',
      'tablet',
      'Samsung Internet',
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot', 'Googlebot'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot) Chrome/119.0.6045.214 Safari/537.36',
      'bot',
      'GPTBot',
    ],
    ['AhrefsSiteAudit/6.1', 'bot', 'AhrefsSiteAudit'],
    ['curl/8.5.0', 'api', 'curl'],
    ['node', 'api', 'node'],
    ['python-requests/2.32.3', 'api', 'python-requests'],
    ['', 'api', 'other'],
    ['x'.repeat(100_000), 'bot', 'x'.repeat(31)],
  ] as const) {
    assert.deepEqual({ ...list.of(text) }, { device, family }, text.slice(0, 200))
  }
})

describe('a visit', () => {
  test('has one hash for one address and program on one day, and nothing else of them', () => {
    const fact = read()
    assert.match(fact?.visitor ?? '', /^[0-9a-f]{32}$/)
    assert.equal(fact?.visitor, read()?.visitor)
    assert.notEqual(fact?.visitor, read({}, { ip: '198.51.100.8' })?.visitor)
    assert.notEqual(fact?.visitor, read({ 'user-agent': 'curl/8.5.0' })?.visitor)
    assert.notEqual(fact?.visitor, read({}, { key: createVisitorHash(Buffer.alloc(32, 2)) })?.visitor)
    assert.ok(!JSON.stringify(fact).includes('198.51.100.7'))
  })

  test('is counted without a hash of whoever asks not to be followed, of a robot, and without the day’s key', () => {
    for (const headers of [{ dnt: '1' }, { 'sec-gpc': '1' }, { 'user-agent': 'Googlebot/2.1' }]) {
      assert.equal(read(headers)?.visitor, null, JSON.stringify(headers))
    }
    assert.equal(read({}, { key: null })?.visitor, null)
    assert.notEqual(read({ dnt: '0' })?.visitor, null)
  })

  test('that a browser made ahead is none', () => {
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
    ] as Visit['headers'][]) {
      assert.equal(read(headers), null, JSON.stringify(headers))
    }
  })

  test('names the host that it came from and nothing else of it, and not its own', () => {
    for (const [referer, host] of [
      ['https://News.Example.com/a?secret=1#x', 'news.example.com'],
      ['http://user:pass@example.com:8080/', 'example.com'],
      ['https://example.com', 'example.com'],
      ['https://xn--bcher-kva.example:8443?x', 'xn--bcher-kva.example'],
      ['https://bücher.example/', 'xn--bcher-kva.example'],
      ['https://atrium.example', null],
      ['https://=cmd.example/', null],
      ['https://[2001:db8::1]:8080/', '[2001:db8::1]'],
      ['https://203.0.113.5/', '203.0.113.5'],
      ['https://atrium.example/products', null],
      ['android-app://com.example', null],
      ['javascript:alert(1)', null],
      ['no address', null],
      ['', null],
    ] as const) {
      assert.equal(read({ referer })?.referrerHost, host, referer)
    }
  })

  test('knows its campaign by the five parameters, bounded and storable', () => {
    const utm = (query: string) => read({}, { url: `/products/x?${query}` })?.utm
    assert.deepEqual(utm('utm_source=a%20b&utm_campaign=c&utm_other=d&q=e'), { source: 'a b', campaign: 'c' })
    assert.deepEqual(utm('utm_source=ATR-7K9QX-2M4WB-H8TRN-5VD3E-9C6ZP&utm_term=a@b.example&utm_medium=a%0d%0ab'), {
      medium: 'ab',
    })
    assert.equal(utm('q=utm_source'), null)
    assert.equal(utm('utm_source='), null)
    assert.equal(utm('utm_source=%00%ED%A0%80x')?.['source']?.includes('\0'), false)
    assert.equal(utm(`utm_source=${'x'.repeat(500)}`)?.['source']?.length, 100)
  })

  test('takes an id only where it is one: the database would refuse all visits of the batch', () => {
    const visit = { ip: '', url: '/', headers: {} }
    const event = { type: 'doc.view', productId: 'no id', docSlug: 'a\0b\ud800' } as const
    const fact = toVisitRecord({ event, visit, at }, { agentOf: list.of, hashVisitor, day })
    assert.equal(fact?.productId, null)
    assert.equal(fact?.docSlug, 'ab\ufffd')
  })
})
