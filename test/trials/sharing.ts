import { openDatabase } from '../../src/storage/database.ts'
import { testApp } from '../harness/app.ts'
import { testClock } from '../harness/clock.ts'
import { createMigratedDatabase } from '../harness/database.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { type StormNode, sharingStorm } from '../harness/sharing-storm.ts'
import type { Row } from './row.ts'

type Node = StormNode & { close(): Promise<void> }

/**
 * Random changes of roles, shares and memberships beside reads and live connections: on the embedded database, and on two
 * nodes over PostgreSQL, which share nothing but the database.
 */
export async function sharing(changes: number): Promise<Row[]> {
  const embedded = await storm('embedded', [await node()], changes)
  // It ends with this process, which drops the database before.
  const server = await startPostgresServer()
  process.env['TEST_DATABASE_URL'] = server.url
  const databaseUrl = await createMigratedDatabase()
  const clock = testClock()
  const onServer = () => openDatabase({ databaseUrl, dataFolder: '', log: { warn: () => undefined }, poolMax: 8 })
  const two: [Node, Node] = [
    await node({ clock, database: await onServer() }),
    await node({ clock, database: await onServer() }),
  ]
  const onTwo = await storm('two nodes', two, changes)
  return [embedded, onTwo]
}

async function node(overrides: Parameters<typeof testApp>[0] = {}): Promise<Node> {
  const app = await testApp(overrides)
  const base = await app.app.server.listen({ host: '127.0.0.1', port: 0 })
  return { app, base, close: () => app.app.server.close() }
}

async function storm(on: string, nodes: [Node, ...Node[]], changes: number): Promise<Row> {
  const { leaks, ...seen } = await sharingStorm(nodes, { changes })
  for (const { close } of nodes) await close()
  return { on, ...seen, leaks: leaks.length, broken: leaks[0] ?? '' }
}
