import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startPostgresServer } from '../../test/harness/postgres-server.ts'
import { familyMeter, findParent, type Meter } from '../processor-time.ts'

export type Postgres = {
  version: string
  /** Of the whole server; tells nothing where it runs on another machine. */
  meter: Meter
  /** The address of a new, empty database. */
  create(): Promise<string>
  /** Removes what was created, and the server where it is ours. */
  end(): Promise<void>
}

/** The server of TEST_DATABASE_URL, or one of our own that keeps its promises: commits wait for the disk. */
export async function openPostgres(): Promise<Postgres> {
  const given = process.env['TEST_DATABASE_URL']
  const server = given ? { url: given, stop: async () => undefined } : await startPostgresServer({ isDurable: true })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const made: string[] = []
  const { rows } = await client.query<{ version: string; pid: number }>(
    `select current_setting('server_version') as version, pg_backend_pid() as pid`,
  )
  const { version, pid } = rows[0] as { version: string; pid: number }
  return {
    version,
    meter: createMeter(pid),
    create: async () => {
      const name = `atrium_bench_${randomBytes(6).toString('hex')}`
      await client.query(`create database ${name}`)
      made.push(name)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    end: async () => {
      for (const name of made) await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
      await server.stop()
    },
  }
}

/** A process id of a server elsewhere means nothing here, or another program. */
function createMeter(backendPid: number): Meter {
  const parent = findParent(backendPid)
  return parent?.name.startsWith('postgres') ? familyMeter(parent.pid) : () => null
}
