import { startCluster } from '../harness/cluster.ts'
import { followedMeeting } from '../harness/live-meeting.ts'
import { liveStorm } from '../harness/live-storm.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import type { Row } from './row.ts'

/** 1,000 clients that follow one meeting on two nodes and lose all their connections four times. */
export async function live(rounds: number): Promise<Row[]> {
  const server = await startPostgresServer()
  const redis = await startRedisServer()
  const environment = {
    LOG_LEVEL: 'silent',
    REDIS_URL: redis.url,
    SOCKETS_PER_USER_MAX: '10000',
    SOCKETS_PER_TENANT_MAX: '10000',
  }
  const cluster = await startCluster({ nodes: 2, databaseUrl: server.url, environment })
  const bases = cluster.nodes.map(({ base }) => base)
  const rows: Row[] = []
  for (let round = 0; round < rounds; round++) {
    const meeting = await followedMeeting({ base: bases[0] as string, admin: cluster.admin })
    let call = 0
    const seen = await liveStorm({
      bases,
      token: meeting.token,
      meetingId: meeting.id,
      clients: 1_000,
      breaks: 4,
      append: () => meeting.append(bases[call++ % 2] as string, 100),
    })
    const holds = seen.missing === 0 && seen.unordered === 0
    rows.push({ ...seen, broken: holds ? '' : 'entries' })
  }
  await cluster.stop()
  await redis.kill()
  await server.stop()
  return rows
}
