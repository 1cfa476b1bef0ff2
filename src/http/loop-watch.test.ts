import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parts, serverWith } from '../../test/harness/floor.ts'
import { metricsRegistry } from '../kernel/metrics.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { run, sql } from '../storage/query.ts'
import { type PlatformScope, transaction } from '../storage/scope.ts'
import { watchedHandle } from '../storage/watched-handle.ts'
import { open } from './access/access.ts'
import { ok } from './answer.ts'
import { loopWatch, type Work } from './loop-watch.ts'
import { route } from './route.ts'

const [list, report, sweep]: Work[] = [
  { method: 'GET', path: '/things' },
  { method: 'POST', path: '/reports' },
  { method: 'JOB', path: 'things.sweep' },
] as const

/** A watch over a time that only `pass` moves. */
function watched() {
  const metrics = metricsRegistry()
  const warnings: Record<string, unknown>[] = []
  let nowMs = 0
  const watch = loopWatch({ metrics, log: { warn: (fields) => warnings.push(fields) }, nowMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  /** An idle loop until the next window has ended. */
  const idle = () => {
    for (let ticks = 0; ticks < 500; ticks++) {
      pass(20)
      watch.tick()
    }
  }
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec(await metrics.text('prometheus'))?.[1])
  return { watch, pass, idle, warnings, metric }
}

describe('the watch over the event loop', () => {
  test('warns when the loop was held, and names what held it longest and not what merely waited', async () => {
    const { watch, pass, idle, warnings, metric } = watched()
    watch.enter(list as Work)
    pass(15) // idle: the answer of a database is awaited
    watch.enter(report as Work)
    pass(700)
    watch.enter(list as Work)
    pass(100)
    watch.tick()
    idle()
    assert.deepEqual(warnings, [{ p99Ms: 695, longestMs: 795, method: 'POST', route: '/reports', heldMs: 700 }])
    assert.equal(await metric('event_loop_held_seconds_total\\{method="POST",route="/reports"\\}'), 0.7)
    assert.equal(await metric('event_loop_delay_seconds\\{quantile="0.99"\\}'), 0.695)
    assert.equal(await metric('event_loop_delay_seconds\\{quantile="1"\\}'), 0.795)
    idle()
    assert.equal(await metric('event_loop_delay_seconds\\{quantile="1"\\}'), 0)
    assert.equal(warnings.length, 1)
  })

  test('does not warn of short holds, however many they are', () => {
    const { watch, pass, idle, warnings } = watched()
    for (let holds = 0; holds < 40; holds++) {
      watch.enter(report as Work)
      pass(150)
      watch.tick()
    }
    idle()
    assert.deepEqual(warnings, [])
  })

  test('blames nothing that it knows for what it does not know', () => {
    const { watch, pass, idle, warnings } = watched()
    watch.enter(list as Work)
    pass(20)
    watch.tick()
    pass(900)
    watch.tick()
    idle()
    assert.deepEqual(
      [warnings[0]?.['method'], warnings[0]?.['route'], warnings[0]?.['heldMs']],
      [undefined, undefined, 900],
    )
  })

  test('knows after a wait what the work is for', async () => {
    const { watch, pass, idle, warnings } = watched()
    const waiting = watch.run(sweep as Work, async () => {
      await new Promise(setImmediate)
      watch.resume()
      pass(500)
    })
    watch.tick()
    await waiting
    watch.tick()
    idle()
    assert.deepEqual([warnings[0]?.['method'], warnings[0]?.['route']], ['JOB', 'things.sweep'])
  })
})

describe('a server whose loop is held', () => {
  const holdMs = 600
  /** Computes for a while, as a bad regular expression does. */
  const hold = () => {
    const startedMs = performance.now()
    while (performance.now() - startedMs < holdMs);
  }
  const named = StrictObject({ name: Type.String({ examples: ['a'] }) })
  const holding = (path: string, work: (platform: PlatformScope) => Promise<void>) =>
    route({
      ...({ method: 'POST', path, name: path.slice(1), tag: 'Utility', summary: 's' } as const),
      access: open('test'),
      body: named,
      answers: { 200: named },
      handle: async ({ platform, body }) => {
        await work(platform)
        return ok(body)
      },
    })

  test('logs the route, wherever in the request it computes', async () => {
    const metrics = metricsRegistry()
    let warned = Promise.withResolvers<Record<string, unknown>>()
    // A busy machine may hold the loop, too, but not for so long.
    const log = {
      warn: (fields: Record<string, unknown>) => (fields['heldMs'] as number) >= holdMs && warned.resolve(fields),
    }
    const loop = loopWatch({ metrics, log, settings: { tickMs: 5, windowMs: 250 } })
    const routes = [
      holding('/at-once', async () => hold()),
      holding('/after-a-read', async (platform) => {
        await run(platform, sql`select 1`)
        hold()
      }),
      holding('/after-a-change', async (platform) => {
        await transaction(platform, (tx) => run(tx, sql`select 1`))
        hold()
      }),
      holding('/quick', async () => undefined),
    ]
    const server = serverWith({ routes, metrics, loop, handle: watchedHandle(parts.handle, loop.resume) })
    const base = await server.listen({ host: '127.0.0.1', port: 0 })
    const headers = { 'content-type': 'application/json' }
    const call = (path: string) => fetch(base + path, { method: 'POST', headers, body: '{"name":"a"}' })
    for (const path of ['/at-once', '/after-a-read', '/after-a-change']) {
      warned = Promise.withResolvers()
      await Promise.all([call(path), call('/quick')])
      const { method, route: named } = await warned.promise
      assert.deepEqual([method, named], ['POST', path])
    }
  })
})
