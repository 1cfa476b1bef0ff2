import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { type LiveFrame, liveClient } from '../../../test/harness/live-client.ts'
import { liveStorm } from '../../../test/harness/live-storm.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import type { Connection } from '../../http/sockets/socket-declaration.ts'
import { memoryFanOut } from '../../storage/fan-out.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { findMeeting } from '../meetings/meeting.store.ts'
import { meetingFeeds } from './meeting-feeds.ts'

let app: TestApp
let base: string
let calls: ReturnType<typeof meetingCalls>
let ada: TestUser

before(async () => {
  // Clients and server share this process: what holds up one holds up the other, and must not look like slow reading.
  app = await testApp({
    sockets: { accessCheckMs: 50, slowReaderMs: 5_000, socketsPerUserMax: 1_000, socketsPerTenantMax: 1_000 },
  })
  base = await app.app.server.listen({ host: '127.0.0.1', port: 0 })
  calls = meetingCalls(app)
  ada = await calls.someone()
})
after(() => app.app.server.close())

const long = 'word '.repeat(1900)

describe('many followers of one meeting', () => {
  test('get every entry in order and none twice, through connections that break over and over', {
    timeout: 120_000,
  }, async () => {
    const { id } = await calls.create(ada)
    const clients = Number(process.env['LIVE_CLIENTS'] ?? 200)
    const append = async () => {
      let last = 0
      for (let call = 0; call < 10; call++) {
        const entries = Array.from({ length: 5 }, (_, at) => said(`${call} ${at}`))
        last = (await calls.append(ada, id, entries)).body.lastSeq
      }
      return last
    }
    const seen = await liveStorm({ bases: [base], token: ada.accessToken, meetingId: id, clients, breaks: 3, append })
    assert.deepEqual({ ...seen, connections: 0 }, { clients, entries: 200, connections: 0, missing: 0, unordered: 0 })
    assert.ok(seen.connections >= 4 * clients, 'connections did not break')
  })

  test('that are far behind catch up from the database while others get new entries', async () => {
    const { id } = await calls.create(ada)
    for (let call = 0; call < 4; call++)
      await calls.append(
        ada,
        id,
        Array.from({ length: 300 }, () => said(long)),
      )
    const client = await liveClient({ base, token: ada.accessToken })
    client.send({ type: 'join', meetingId: id, afterSeq: 0 })
    await calls.append(ada, id, [said('the last word')])
    let last: LiveFrame = { type: '' }
    while (last['seq'] !== 1201) last = await client.next('transcript.entry')
    const seqs = client.frames.filter(({ type }) => type === 'transcript.entry').map(({ seq }) => seq)
    assert.deepEqual(
      seqs,
      Array.from({ length: 1201 }, (_, at) => at + 1),
    )
    await client.close()
  })

  test('that do not read are closed with 4408, and neither use memory nor delay the others', {
    timeout: 120_000,
  }, async () => {
    const { id } = await calls.create(ada)
    const reader = await liveClient({ base, token: ada.accessToken })
    const sleepers = await Promise.all(Array.from({ length: 20 }, () => liveClient({ base, token: ada.accessToken })))
    for (const client of [reader, ...sleepers]) {
      client.send({ type: 'join', meetingId: id })
      await client.next('joined')
    }
    for (const { socket } of sleepers) socket.pause()
    const before = process.memoryUsage().arrayBuffers
    for (let call = 0; call < 20; call++)
      await calls.append(
        ada,
        id,
        Array.from({ length: 100 }, () => said(long)),
      )
    let last: LiveFrame = { type: '' }
    while (last['seq'] !== 2000) last = await reader.next('transcript.entry')
    // 20 MB were said; for twenty who read nothing 400 MB would be waiting. The reader is in this process as well.
    assert.ok(process.memoryUsage().arrayBuffers - before < 200_000_000, 'memory grew with those who do not read')
    const closes = async () => (await app.call({ url: '/metrics', headers: app.admin })).body as string
    while (!/socket_closes_total\{code="4408"\} 20/.test(await closes()))
      await new Promise((resolve) => setTimeout(resolve, 50))
    for (const { socket } of sleepers) socket.terminate()
    await reader.close()
  })
})

/** A client without a wire. */
function listener() {
  const seqs: number[] = []
  let isFull = false
  const connection: Connection = {
    id: 'x',
    send: () => undefined,
    sendEncoded: (frames) => seqs.push(...frames.map((bytes) => JSON.parse(String(bytes)).seq)),
    isFull: () => isFull,
    close: () => undefined,
    refuse: () => undefined,
  }
  return { connection, seqs, fill: (full: boolean) => (isFull = full) }
}

describe('lost notices', () => {
  test('are made up for by a poll after a gap, and at regular intervals', async () => {
    const { id } = await calls.create(ada)
    const deaf = memoryFanOut()
    let gap = (): void => undefined
    const feeds = meetingFeeds({
      platform: app.platform,
      pollMs: 3_600_000,
      fanOut: {
        ...deaf,
        subscribe: (_, listener) => {
          gap = listener.gap
          return () => undefined
        },
      },
    })
    const meeting = (await findMeeting(app.scopeOf(ada.tenantId), { id, userId: ada.id })) as Meeting
    const { connection, seqs } = listener()
    const deleted: string[] = []
    feeds.follow({ connection, userId: ada.id, onLost: () => deleted.push(id) }, meeting, 0)
    await calls.append(ada, id, [said('one'), said('two')])
    await feeds.poll()
    while (seqs.length < 2) await new Promise(setImmediate)
    assert.deepEqual(seqs, [1, 2])
    await calls.append(ada, id, [said('three')])
    gap()
    while (seqs.length < 3) await new Promise(setImmediate)
    assert.deepEqual(seqs, [1, 2, 3])
    await calls.remove(ada, id)
    await feeds.poll()
    while (deleted.length < 1) await new Promise(setImmediate)
    assert.deepEqual([deleted, feeds.size()], [[id], 0])
  })

  test('and notices that come twice or late change nothing', async () => {
    const { id } = await calls.create(ada)
    const fanOut = memoryFanOut()
    const feeds = meetingFeeds({ platform: app.platform, pollMs: 3_600_000, fanOut })
    const meeting = (await findMeeting(app.scopeOf(ada.tenantId), { id, userId: ada.id })) as Meeting
    const { connection, seqs, fill } = listener()
    const feed = feeds.follow({ connection, userId: ada.id, onLost: () => undefined }, meeting, 0)
    await calls.append(ada, id, [said('one'), said('two')])
    for (const lastSeq of [2, 1, 2, null])
      fanOut.publish('assistant.meetings', JSON.stringify({ tenantId: ada.tenantId, meetingId: id, lastSeq }))
    await feed.refresh()
    while (seqs.length < 2) await new Promise(setImmediate)
    fill(true)
    await calls.append(ada, id, [said('three')])
    await feed.refresh()
    assert.deepEqual(seqs, [1, 2])
    fill(false)
    feed.drained(connection)
    // The read that the notices began may still be running.
    while (seqs.length < 3) await new Promise(setImmediate)
    assert.deepEqual(seqs, [1, 2, 3])
    feed.remove(connection)
    assert.equal(feeds.size(), 0)
  })
})
