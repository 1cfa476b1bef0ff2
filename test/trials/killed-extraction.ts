import { killWhileReading } from '../harness/killed-extraction.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import type { Row } from './row.ts'

/** So many kills on each database. Each document must end ready with its whole text, or failed because it was killed too often. */
export async function killedExtraction(kills: number): Promise<Row[]> {
  const server = await startPostgresServer()
  try {
    return [await row('PGlite', kills, {}), await row('PostgreSQL', kills, { DATABASE_URL: server.url })]
  } finally {
    await server.stop()
  }
}

async function row(trial: string, kills: number, database: Record<string, string>): Promise<Row> {
  const { ready, accepted } = await killWhileReading({ database, kills, documentsEach: 2 })
  return { trial, kills, accepted, ready, broken: '' }
}
