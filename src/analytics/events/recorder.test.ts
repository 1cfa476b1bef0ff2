import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../test/harness/clock.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import type { Visit } from '../../kernel/visit.ts'
import { dailyLimits } from './daily-limits.ts'
import { recorder } from './recorder.ts'
import { userAgents } from './user-agents.ts'
import type { VisitRecord } from './visit.rules.ts'
import type { VisitEvent } from './visit-event.ts'
import { createVisitorHash } from './visitor-hash.rules.ts'

const event: VisitEvent = { type: 'page.view', pageSlug: 'pricing' }
const visitOf = (ip: string): Visit => ({ ip, url: '/', headers: { 'user-agent': 'curl/8.5.0' } })

function recording(
  write: (facts: VisitRecord[], isAgain: boolean) => Promise<void>,
  { limits = dailyLimits(), isEmbedded = false } = {},
) {
  const metrics = metricsRegistry()
  const lines: string[] = []
  const note = (_: Record<string, unknown>, message: string) => void lines.push(message)
  const visitorKeys = { load: async () => undefined, of: () => createVisitorHash(Buffer.alloc(32)) }
  const parts = {
    clock: testClock(),
    log: { info: note, warn: note, error: note },
    metrics,
    agents: userAgents(),
    visitorKeys,
  }
  const value = async (line: string) =>
    Number(
      new RegExp(`^${line.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(await metrics.text('prometheus'))?.[1] ?? 0,
    )
  return { ...recorder({ ...parts, write, limits, isEmbedded }), clock: parts.clock, value, lines }
}

const visitsOf = (facts: VisitRecord[]) => facts.reduce((sum, { visits }) => sum + visits, 0)
const unavailable = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

test('what is recorded while the database is away is written when it is back, each visit once', async () => {
  const written: VisitRecord[] = []
  const again: boolean[] = []
  let isAway = true
  const it = recording(async (facts, isAgain) => {
    if (isAway) throw unavailable()
    again.push(isAgain)
    written.push(...facts)
  })
  for (let count = 0; count < 1200; count++) it.recordVisit(event, visitOf(`198.51.100.${count}`))
  await it.flush()
  assert.deepEqual(written, [])
  assert.ok((await it.value('analytics_flush_failures_total')) >= 1)
  assert.equal(await it.value('analytics_buffered_visits{stage="ready"}'), 1200)
  isAway = false
  await it.flush()
  assert.equal(new Set(written.map(({ id }) => id)).size, 1200)
  assert.equal(written.length, 1200)
  assert.deepEqual(again, [true, false, false], 'the first batch may have been written already')
  assert.equal(await it.value('analytics_visits_total{outcome="WRITTEN"}'), 1200)
  assert.equal(await it.value('analytics_buffered_visits{stage="ready"}'), 0)
})

test('however many visits a database that is away makes wait, memory is bounded and none is lost', async () => {
  const written: VisitRecord[] = []
  let isAway = true
  const it = recording(async (facts) => {
    if (isAway) throw unavailable()
    written.push(...facts)
  })
  const total = 60_000
  // In one turn of the loop: no slice of work can run meanwhile.
  for (let count = 0; count < total; count++) {
    it.recordVisit({ ...event, pageSlug: `page-${count % 5000}` }, visitOf(`198.51.${count >> 8}.${count & 255}`))
  }
  await it.flush()
  assert.equal(await it.value('analytics_buffered_visits{stage="untouched"}'), 0)
  assert.equal(await it.value('analytics_buffered_visits{stage="ready"}'), 20_000)
  assert.equal(await it.value('analytics_buffered_visits{stage="condensed"}'), total - 20_000)
  isAway = false
  await it.flush()
  assert.equal(visitsOf(written), total)
  assert.ok(written.length < 20_000 + 2100, `${written.length} lines`)
})

test('a visit that the database will never take holds up no other', async () => {
  const written: VisitRecord[] = []
  const it = recording(async (facts) => {
    if (facts.some(({ pageSlug }) => pageSlug === 'bad')) throw Object.assign(new Error('no'), { code: '22021' })
    written.push(...facts)
  })
  for (let count = 0; count < 700; count++) {
    it.recordVisit({ ...event, pageSlug: count === 333 ? 'bad' : 'good' }, visitOf('198.51.100.1'))
  }
  await it.flush()
  assert.equal(written.length, 699)
  assert.equal(await it.value('analytics_visits_total{outcome="LOST"}'), 1)
  assert.ok(it.lines.includes('the database refuses a visit'))
})

test('what is recorded during a flush is written by it', async () => {
  const written: VisitRecord[] = []
  const it = recording(async (facts) => {
    written.push(...facts)
    if (written.length < 5) it.recordVisit(event, visitOf('198.51.100.1'))
  })
  it.recordVisit(event, visitOf('198.51.100.1'))
  await it.flush()
  assert.ok(written.length >= 3, `${written.length}`)
})

test('recording waits for nothing and never fails, whatever it is given', () => {
  const it = recording(() => new Promise(() => undefined))
  const strange = {
    ip: '',
    url: '?utm_source=%zz',
    headers: { 'user-agent': ['a', 'b'], referer: 'https://[', host: '' },
  }
  for (let count = 0; count < 20_000; count++) assert.equal(it.recordVisit(event, strange as Visit), undefined)
})

test('whatever is sent, a day has a bounded number of referrers and of lines, and every visit is counted', async () => {
  const written: VisitRecord[] = []
  const it = recording(async (facts) => void written.push(...facts), {
    limits: dailyLimits({ referrersMax: 20, linesMax: 1000 }),
  })
  const from = (host: string) => ({
    ...visitOf('198.51.100.1'),
    headers: { referer: `https://${host}/`, 'user-agent': host },
  })
  const flood = 5000
  for (let count = 0; count < flood; count++) {
    it.recordVisit(event, from(count % 3 === 0 ? 'known.example' : `invented-${count}.example`))
  }
  it.recordVisit({ ...event, type: 'doc.view' }, from('of-another.example'))
  await it.flush()
  assert.equal(visitsOf(written), flood + 1)
  assert.ok(written.length < 1010, `${written.length} lines`)
  const hosts = new Set(written.map(({ referrerHost }) => referrerHost))
  assert.equal(hosts.size, 21)
  assert.ok(hosts.has('known.example') && hosts.has('(other)'))
  it.clock.advance({ seconds: 24 * 3600 })
  it.recordVisit(event, from('tomorrow.example'))
  await it.flush()
  assert.equal(written.at(-1)?.referrerHost, 'tomorrow.example')
})

test('to a database in this process few visits are given at once, and others have their turn between', async () => {
  const batches: [visits: number, turns: number][] = []
  let turns = 0
  const write = async (facts: VisitRecord[]) => {
    batches.push([facts.length, turns])
    setImmediate(() => void turns++)
  }
  const it = recording(write, { isEmbedded: true })
  for (let count = 0; count < 600; count++) it.recordVisit(event, visitOf('198.51.100.1'))
  await it.flush()
  assert.deepEqual(batches, [
    [250, 0],
    [250, 1],
    [100, 2],
  ])
})
