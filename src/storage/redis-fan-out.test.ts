import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { redisMissing, startRedisServer } from '../../test/harness/redis-server.ts'
import { type FanOut, memoryFanOut } from './fan-out.ts'
import { redisFanOut } from './redis-fan-out.ts'

/** What a listener hears; `next` waits for one more. */
function ears(fanOut: FanOut, channel: string) {
  const heard: string[] = []
  let wake: (() => void) | null = null
  const hear = (what: string) => {
    heard.push(what)
    wake?.()
  }
  const end = fanOut.subscribe(channel, { message: hear, gap: () => hear('(gap)') })
  const until = async (what: string) => {
    while (!heard.includes(what)) await new Promise<void>((resolve) => (wake = resolve))
  }
  return { heard, until, end }
}

function nodeOn(t: TestContext, url: string) {
  const fanOut = redisFanOut(url)
  t.after(() => fanOut.close())
  return fanOut
}

test('in one process a message reaches the subscribers of its channel, and none that have ended', () => {
  const fanOut = memoryFanOut()
  const [listening, elsewhere] = [ears(fanOut, 'a'), ears(fanOut, 'b')]
  fanOut.publish('a', 'one')
  listening.end()
  fanOut.publish('a', 'two')
  assert.deepEqual([listening.heard, elsewhere.heard], [['one'], []])
})

describe('messages between nodes', { skip: redisMissing }, () => {
  test('reach every node once, their own node at once', async (t) => {
    const server = await startRedisServer()
    t.after(() => server.kill())
    const nodes = [nodeOn(t, server.url), nodeOn(t, server.url), nodeOn(t, server.url)] as const
    const listening = nodes.map((node) => ears(node, 'a'))
    await Promise.all(listening.map(({ until }) => until('(gap)')))
    nodes[0].publish('a', 'one')
    assert.equal(listening[0]?.heard.at(-1), 'one')
    await Promise.all(listening.map(({ until }) => until('one')))
    nodes[1].publish('b', 'for nobody')
    nodes[1].publish('a', 'two')
    await Promise.all(listening.map(({ until }) => until('two')))
    for (const { heard } of listening) assert.deepEqual(heard, ['(gap)', 'one', 'two'])
  })

  test('while Redis is down a node receives its own messages, and a gap when it is back', async (t) => {
    const server = await startRedisServer()
    const port = Number(new URL(server.url).port)
    const node = nodeOn(t, server.url)
    const listening = ears(node, 'a')
    await listening.until('(gap)')
    await server.kill()
    node.publish('a', 'alone')
    assert.deepEqual(listening.heard, ['(gap)', 'alone'])
    listening.heard.length = 0
    const again = await startRedisServer(port)
    t.after(() => again.kill())
    await listening.until('(gap)')
    const other = nodeOn(t, again.url)
    const others = ears(other, 'a')
    await others.until('(gap)')
    other.publish('a', 'together')
    await listening.until('together')
  })
})
