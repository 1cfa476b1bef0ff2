import type { Socket } from 'node:net'
import pg from 'pg'
import { yieldToEventLoop } from '../kernel/event-loop.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import { isConnectionLost, isStalePlan, tooManyWaiters } from './sql-error.ts'
import { type Statement, type StatementNames, statementNames } from './statement-names.ts'

/**
 * A connection taken out of the pool for one statement or one transaction; `release` gives it back. Statements run one
 * after another in the order in which they were asked for.
 */
export type Connection = {
  query(statement: Statement): Promise<pg.QueryResult>
  release(): void
  /** True once the database has gone away: there is nothing left to roll back. */
  isLost(): boolean
}

/** Where connections come from. */
export type Source = { pool: pg.Pool; names: StatementNames; pipeline: Pipeline | null; isEmbedded: boolean }

export type StorageLog = { warn(fields: Record<string, unknown>, message: string): void }

// Our sets of statements are in the hundreds; a list that varies is one parameter (`= any($1)`) and not many texts.
const statementNamesMax = 1000
// Of the few that nearly every request asks: no list with many filters can take a name from them.
const hotNamesMax = 100
// How long a request waits for a connection to come free or to be made, before it gets a 503. Short, because in an
// outage this is what nearly every request waits for.
const waitMsMax = 3_000
// The server gives up first and keeps the connection; ours is for a network that swallows everything. Balancers and
// clients give up after 10 s and more, and should hear of it from us. Longer work has a connection of its own.
const statementMsMax = 5_000
const queryMsMax = 6_000
// PGlite works one by one, at the speed of one disk: a burst may have to wait longer, and silence ends the process.
const embeddedWaitMsMax = 5_000
const embeddedQueryMsMax = 12_000
// More than this many are served too late for anybody: about half a second of work, and what a silent database may
// make wait is bounded.
const waitersMax = 1_000
// A process that was stopped in the middle of a transaction holds its locks no longer than this.
const idleInTransactionTimeoutMs = 30_000

const bigintOid = 20

/**
 * `bigint` as a number, exact up to 2^53: our bigints count bytes and rows. `numeric` stays text, so a store casts what
 * `sum` and `avg` give. `timestamptz` is a Date, `jsonb` a value, `bytea` a Buffer: the driver's own.
 */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

export type PostgresOptions = { url: string; connectionsMax: number; log: StorageLog }

/**
 * `?pgbouncer=true` in the address is for a proxy that pools by transaction: it gives each transaction another server
 * connection, which knows none of our named statements, and refuses settings in the start-up message. Nothing travels
 * in a pipeline through it.
 */
export function postgresSource({ url, connectionsMax, log }: PostgresOptions): Source {
  const isProxied = new URL(url).searchParams.get('pgbouncer') === 'true'
  const names = statementNames(isProxied ? 0 : statementNamesMax)
  const shared = {
    connectionString: url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: waitMsMax,
    fallback_application_name: 'atrium',
  }
  const pool = new pg.Pool({
    ...shared,
    max: connectionsMax,
    allowExitOnIdle: true,
    query_timeout: queryMsMax,
    ...(isProxied
      ? {}
      : {
          statement_timeout: statementMsMax,
          idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
        }),
  })
  const readerOf = (socket: Socket) =>
    new pg.Client({
      ...shared,
      stream: () => socket,
      pipeline: true,
      statement_timeout: waitMsMax,
    })
  const pipeline = isProxied
    ? null
    : createPipeline({
        clientOf: readerOf,
        names: statementNames(hotNamesMax),
        answerMsMax: waitMsMax,
        unansweredMax: waitersMax,
      })
  return { pool: surviving(pool, log), names, pipeline, isEmbedded: false }
}

type PgliteOptions = { log: StorageLog; waitMsMax?: number | undefined }

/** @param adapter what PGlite's `createPgConfig` gave. */
export function pgliteSource(adapter: object, { log, waitMsMax = embeddedWaitMsMax }: PgliteOptions): Source {
  // PGlite has one session: with a second connection two transactions would run in each other.
  const pool = new pg.Pool({
    ...adapter,
    types,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMsMax,
    query_timeout: embeddedQueryMsMax,
  })
  return { pool: surviving(pool, log), names: statementNames(statementNamesMax), pipeline: null, isEmbedded: true }
}

/** Without these listeners a database that restarts would end our process. */
function surviving(pool: pg.Pool, log: StorageLog): pg.Pool {
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // While a connection is taken out the pool does not listen to it; whoever has it sees its next statement fail.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export async function acquireConnection({ pool, names, isEmbedded }: Source): Promise<Connection> {
  if (pool.waitingCount >= waitersMax) throw new Error(tooManyWaiters)
  const client = await pool.connect()
  let isLost = false
  let last: Promise<unknown> = Promise.resolve()
  const run = async ({ sql, parameters }: Statement) => {
    const name = parameters.length > 0 ? names.nameFor(sql) : undefined
    // The embedded database works on our event loop and answers without a turn of it.
    const turn = isEmbedded ? yieldToEventLoop() : null
    if (turn !== null) await turn
    try {
      return await client.query({ text: sql, values: [...parameters], ...(name === undefined ? {} : { name }) })
    } catch (error) {
      isLost ||= isConnectionLost(error)
      if (isEmbedded && isDead(error)) endProcess(error)
      if (isStalePlan(error)) names.renew(sql)
      throw error
    }
  }
  return {
    query: (statement) => {
      const turn = last.then(() => run(statement))
      last = turn.catch(() => undefined)
      return turn
    },
    release: () => client.release(isLost),
    isLost: () => isLost,
  }
}

/**
 * PostgreSQL's last word when its disk fails or is full is a PANIC; a server then starts again by itself. PGlite cannot,
 * and never answers again. Nor does it when it is damaged: a slow statement stops our timers too, so a timeout is silence.
 */
function isDead(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'PANIC' || (error as Error).message === 'Query read timeout'
}

/** Thrown where nobody catches it, after this request's answer: the next start recovers all that was committed. */
function endProcess(cause: unknown): void {
  setTimeout(() => {
    throw new Error(`The embedded database has stopped: ${String(cause)}. Start again; what was committed is kept.`, {
      cause,
    })
  }, 100)
}
