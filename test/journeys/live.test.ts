// Real processes over a PostgreSQL and a Redis of their own: what is said on one node is heard on the other.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ask } from '../harness/client.ts'
import { type Cluster, type ClusterNode, startCluster } from '../harness/cluster.ts'
import { liveClient } from '../harness/live-client.ts'
import { type FollowedMeeting, followedMeeting } from '../harness/live-meeting.ts'
import { liveStorm } from '../harness/live-storm.ts'
import { type PostgresServer, postgresMissing, startPostgresServer } from '../harness/postgres-server.ts'
import { type RedisServer, redisMissing, startRedisServer } from '../harness/redis-server.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' ? postgresMissing || redisMissing : 'of PostgreSQL'
const timeout = 180_000

describe('a meeting that is followed on several nodes', { skip }, () => {
  let server: PostgresServer
  let redis: RedisServer
  let cluster: Cluster
  let nodes: ClusterNode[]
  let meeting: FollowedMeeting

  before(async () => {
    server = await startPostgresServer()
    redis = await startRedisServer()
    const environment = { REDIS_URL: redis.url, SOCKETS_PER_USER_MAX: '100' }
    cluster = await startCluster({ nodes: 2, databaseUrl: server.url, environment })
    nodes = cluster.nodes
    meeting = await followedMeeting({ base: at(0), admin: cluster.admin })
  })
  after(async () => {
    await cluster?.stop()
    await redis?.kill()
    await server?.stop()
  })
  const at = (index: number) => (nodes[index] as ClusterNode).base

  test('is heard on all of them, in order and once, through broken connections', { timeout }, async () => {
    let call = 0
    const seen = await liveStorm({
      bases: nodes.map(({ base }) => base),
      token: meeting.token,
      meetingId: meeting.id,
      clients: 60,
      breaks: 3,
      append: () => meeting.append(at(call++ % 2), 50),
    })
    assert.deepEqual(
      { ...seen, connections: 0 },
      { clients: 60, entries: 200, connections: 0, missing: 0, unordered: 0 },
    )
  })

  test('is heard also while Redis is away, a little later', { timeout }, async () => {
    const client = await liveClient({ base: at(1), token: meeting.token })
    client.send({ type: 'join', meetingId: meeting.id })
    await client.next('joined')
    await redis.kill()
    await meeting.append(at(0), 1, 'without Redis')
    const { entry } = await client.next('transcript.entry')
    assert.equal(entry.text, 'without Redis')
    await client.close()
  })

  test('sends its followers to another node when one stops', { timeout }, async () => {
    const client = await liveClient({ base: at(0), token: meeting.token })
    client.send({ type: 'join', meetingId: meeting.id })
    await client.next('joined')
    const idle = await liveClient({ base: at(0) })
    const [code, ...closes] = await Promise.all([nodes[0]?.stop('SIGTERM'), client.closed, idle.closed])
    assert.equal(code, 0)
    for (const close of closes) assert.deepEqual(close, { code: 1012, reason: 'RESTART' })
    const { status } = await ask({ url: `${at(1)}/health/live` })
    assert.equal(status, 200)
  })
})
