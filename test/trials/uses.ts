import { startCluster } from '../harness/cluster.ts'
import { consumeUnderKills } from '../harness/history.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import type { Row } from './row.ts'

/** 500 uses, 2,000 callers, three nodes of which one is killed each second: with keys, and without. */
export async function uses(rounds: number): Promise<Row[]> {
  const server = await startPostgresServer()
  const cluster = await startCluster({ nodes: 3, databaseUrl: server.url, environment: { LOG_LEVEL: 'silent' } })
  const rows: Row[] = []
  for (let round = 0; round < rounds; round++) {
    for (const hasKeys of [true, false]) {
      const seen = await consumeUnderKills({ cluster, uses: 500, callers: 2_000, hasKeys })
      const { acknowledged, unknown, used, listed } = seen
      const isExact = acknowledged === 500 && used === 500
      const isBounded = acknowledged <= used && used <= acknowledged + unknown && used <= 500
      const holds = listed === used && (hasKeys ? isExact : isBounded)
      rows.push({ with: hasKeys ? 'Idempotency-Key' : 'nothing', ...seen, broken: holds ? '' : 'count' })
    }
  }
  await cluster.stop()
  await server.stop()
  return rows
}
