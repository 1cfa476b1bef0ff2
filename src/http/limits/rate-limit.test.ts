import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressBucket, memoryRateCounter, rateLimitHeaders } from './rate-limit.ts'

const windowMs = 900_000
const start = Math.floor(Date.UTC(2026, 10, 21) / windowMs) * windowMs

async function takeMany(
  counter: ReturnType<typeof memoryRateCounter>,
  { count, atMs, limit = 1000 }: { count: number; atMs: number; limit?: number },
) {
  let allowed = 0
  for (let index = 0; index < count; index++)
    if ((await counter.take('a', limit, new Date(start + atMs))).isAllowed) allowed++
  return allowed
}

test('a fresh bucket gives exactly its limit, and denied requests do not count', async () => {
  const counter = memoryRateCounter(900)
  assert.equal(await takeMany(counter, { count: 1500, atMs: 0 }), 1000)
  assert.equal((await counter.peek('b', 1000, new Date(start))).remaining, 1000)
})

test('a burst at the end of one window and another at the start of the next do not double the limit', async () => {
  const counter = memoryRateCounter(900)
  assert.equal(await takeMany(counter, { count: 1000, atMs: windowMs - 1000 }), 1000)
  assert.ok((await takeMany(counter, { count: 1000, atMs: windowMs + 1000 })) <= 2)
})

test('waiting as long as Retry-After says is enough', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 60 }),
      async (limit, moments) => {
        const counter = memoryRateCounter(900)
        for (const atMs of moments.sort((a, b) => a - b)) {
          const verdict = await counter.take('a', limit, new Date(start + atMs))
          if (verdict.isAllowed) continue
          const later = new Date(start + atMs + verdict.retryAfterSeconds * 1000)
          assert.ok(
            (await counter.peek('a', limit, later)).isAllowed,
            `limit ${limit}, at ${atMs}, retry after ${verdict.retryAfterSeconds}`,
          )
          return
        }
      },
    ),
  )
})

test('both header families tell the same', () => {
  const headers = rateLimitHeaders(
    { isAllowed: true, limit: 1000, windowSeconds: 900, remaining: 993, resetSeconds: 412, retryAfterSeconds: 0 },
    new Date(1_800_000_000_000),
  )
  assert.deepEqual(headers, {
    'ratelimit-policy': '"default";q=1000;w=900',
    ratelimit: '"default";r=993;t=412',
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '993',
    'x-ratelimit-reset': '1800000412',
  })
})

test('who is refused and waits for the reset that the headers tell is let in, as with Retry-After', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 2_000_000 }), { minLength: 30, maxLength: 60 }),
      async (limit, moments) => {
        const counter = memoryRateCounter(900)
        for (const atMs of moments.sort((a, b) => a - b)) {
          const now = new Date(start + atMs)
          const verdict = await counter.take('a', limit, now)
          if (verdict.isAllowed) continue
          const headers = rateLimitHeaders(verdict, now)
          const told = Number(/;t=(\d+)$/.exec(headers['ratelimit'] ?? '')?.[1])
          assert.equal(told, verdict.retryAfterSeconds)
          for (const later of [now.getTime() + told * 1000, Number(headers['x-ratelimit-reset']) * 1000]) {
            assert.ok((await counter.peek('a', limit, new Date(later))).isAllowed, `limit ${limit}, at ${atMs}`)
          }
        }
      },
    ),
  )
})

test('IPv4 addresses count each, IPv6 addresses by their /64, and mapped ones as IPv4', () => {
  assert.equal(addressBucket('192.0.2.7'), '192.0.2.7')
  assert.equal(addressBucket('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(addressBucket('2001:db8:1:2:aaaa::1'), addressBucket('2001:0db8:1:2::ffff'))
  assert.notEqual(addressBucket('2001:db8:1:2::1'), addressBucket('2001:db8:1:3::1'))
  assert.equal(addressBucket('::1'), '0:0:0:0::/64')
})
