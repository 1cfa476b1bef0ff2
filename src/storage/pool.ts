import type { Socket } from 'node:net'
import pg from 'pg'
import { yieldToEventLoop } from '../kernel/event-loop.ts'
import { type AnswerWatch, answerWatch } from './answer-watch.ts'
import { columnTypes } from './column-types.ts'
import { type GroupCommit, groupCommit } from './group-commit.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import { type StatementResult, send } from './send.ts'
import { isConnectionLost, isStalePlan, tooManyWaiters } from './sql-error.ts'
import { type Statement, type StatementNames, statementNames } from './statement-names.ts'

/**
 * A connection taken from the pool for one statement or one transaction. Statements run one after another in the order of the
 * calls, whether or not the caller waits for each.
 */
export type Connection = {
  query(statement: Statement): Promise<StatementResult>
  /** Gives it back. Resolves once all that was committed is on the disk: before, nobody may be told of it. */
  release(): Promise<void>
  /** True once the connection is lost: there is nothing left to roll back. */
  isLost(): boolean
}

/**
 * Where connections come from. `isPipelined`: a statement is sent without waiting for the answers to those before it, and
 * the statements of one turn of the event loop in one packet.
 */
export type Source = {
  pool: pg.Pool
  names: StatementNames
  pipeline: Pipeline | null
  isPipelined: boolean
  /** Of a server. The driver has a timeout for the embedded database, which holds the event loop while it works. */
  watch: AnswerWatch | null
  /** Of the embedded database. A server needs none: its connections share writes to the disk. */
  groupCommit: GroupCommit | null
}

export type StorageLog = { warn(fields: Record<string, unknown>, message: string): void }

// We have some hundreds of statements. A list that varies is one parameter (`= any($1)`), not many texts.
const statementNamesMax = 1000
// For the few that run with nearly every request: no list with many filters can use up their names.
const pipelineNamesMax = 100
// How long a request waits for a free or a new connection before it gets a 503. Short, because in an outage nearly every
// request waits for this.
const waitMsMax = 3_000
// The server's timeout comes first and keeps the connection; ours is for a network that drops everything. Load balancers
// and clients time out after 10 s or more, and should get our answer before: within 6 s, because the watch looks twice a second.
// Longer work has a connection of its own.
const statementMsMax = 5_000
const queryMsMax = 5_500
// PGlite runs one statement at a time, at the speed of one disk: a burst may wait longer. Without an answer the process ends.
const embeddedWaitMsMax = 5_000
const embeddedQueryMsMax = 12_000
// More than this many would be served too late: it is about half a second of work. It also bounds how many wait for a
// silent database.
const waitersMax = 1_000
// A process that hangs in the middle of a transaction holds its locks no longer than this.
const idleInTransactionTimeoutMs = 30_000

export type PostgresOptions = { url: string; connectionsMax: number; log: StorageLog }

/**
 * `?pgbouncer=true` in the address means a proxy that pools by transaction. It gives each transaction another server
 * connection, which does not know our named statements, and rejects settings in the start-up message. No pipeline is
 * opened through it.
 */
export function postgresSource({ url, connectionsMax, log }: PostgresOptions): Source {
  const isProxied = new URL(url).searchParams.get('pgbouncer') === 'true'
  const names = statementNames(isProxied ? 0 : statementNamesMax)
  const shared = {
    connectionString: url,
    types: columnTypes,
    keepAlive: true,
    connectionTimeoutMillis: waitMsMax,
    fallback_application_name: 'atrium',
  }
  const pool = new pg.Pool({
    ...shared,
    max: connectionsMax,
    pipeline: !isProxied,
    allowExitOnIdle: true,
    ...(isProxied
      ? {}
      : {
          statement_timeout: statementMsMax,
          idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
        }),
  })
  const createReader = (socket: Socket) =>
    new pg.Client({
      ...shared,
      stream: () => socket,
      pipeline: true,
      statement_timeout: waitMsMax,
    })
  const pipeline = isProxied
    ? null
    : createPipeline({
        createClient: createReader,
        names: statementNames(pipelineNamesMax),
        answerMsMax: waitMsMax,
        unansweredMax: waitersMax,
      })
  return {
    pool: withErrorListeners(pool, log),
    names,
    pipeline,
    isPipelined: !isProxied,
    // Not the driver's timeout: it closes connections whose answers have come, but were not read while the event loop was held.
    watch: answerWatch(queryMsMax),
    groupCommit: null,
  }
}

type PgliteOptions = { log: StorageLog; waitMsMax?: number | undefined }

/** @param adapter the result of PGlite's `createPgConfig`. */
export function pgliteSource(adapter: object, { log, waitMsMax = embeddedWaitMsMax }: PgliteOptions): Source {
  // PGlite has one session: with a second connection two transactions would run in each other.
  const pool = new pg.Pool({
    ...adapter,
    types: columnTypes,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMsMax,
    query_timeout: embeddedQueryMsMax,
  })
  return {
    pool: withErrorListeners(pool, log),
    names: statementNames(statementNamesMax),
    pipeline: null,
    isPipelined: false,
    watch: null,
    // A pool that is being closed does not serve those who wait.
    groupCommit: groupCommit(() => pool.waitingCount > 0 && !pool.ending),
  }
}

/** Without these listeners a database restart would end our process. */
function withErrorListeners(pool: pg.Pool, log: StorageLog): pg.Pool {
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // The pool does not listen to a connection in use; its user sees the next statement fail.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** @param isReading nothing will be written over it. */
export async function acquireConnection(
  { pool, names, isPipelined, watch, groupCommit }: Source,
  { isReading = false } = {},
): Promise<Connection> {
  if (pool.waitingCount >= waitersMax) throw new Error(tooManyWaiters)
  const client = await pool.connect()
  let isLost = false
  let last: Promise<unknown> = Promise.resolve()
  const close = () => streamOf(client).destroy()
  const ask = async (statement: Statement, name?: string) => {
    try {
      if (watch === null) return await send(client, statement, name)
      return await watch.during(send(client, statement, name), close)
    } catch (error) {
      isLost ||= isConnectionLost(error)
      if (groupCommit !== null && hasStopped(error)) endProcess(error)
      if (isStalePlan(error)) names.renew(statement.sql)
      throw error
    }
  }
  const run = async (statement: Statement) => {
    const { sql, parameters } = statement
    // The embedded database runs on our event loop and answers without yielding to it.
    const yielded = groupCommit === null ? null : yieldToEventLoop()
    if (yielded !== null) await yielded
    return ask(statement, parameters.length > 0 ? names.nameFor(sql) : undefined)
  }
  await groupCommit?.begin({ query: (sql) => ask({ sql, parameters: [] }), isReading })
  return {
    query: (statement) => {
      if (isPipelined) {
        corkUntilNextTick(client)
        return run(statement)
      }
      const answer = last.then(() => run(statement))
      last = answer.catch(() => undefined)
      return answer
    },
    release: async () => {
      if (groupCommit === null) client.release(isLost)
      else await groupCommit.end(() => client.release(isLost))
    },
    isLost: () => isLost,
  }
}

/** The driver's types leave its connection out. */
function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

const corked = new WeakSet<Socket>()

/** Each packet costs more processor time, here and in the server, than a small statement. */
function corkUntilNextTick(client: pg.PoolClient): void {
  const stream = streamOf(client)
  if (corked.has(stream)) return
  corked.add(stream)
  stream.cork()
  process.nextTick(() => {
    corked.delete(stream)
    stream.uncork()
  })
}

/**
 * PostgreSQL reports a PANIC when its disk fails or is full; a server then restarts by itself. PGlite cannot, and never
 * answers again. Nor does it when it is damaged: a slow statement blocks our timers too, so a timeout means no answer.
 */
function hasStopped(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'PANIC' || (error as Error).message === 'Query read timeout'
}

/** Throws outside any handler, after the request was answered. The next start recovers all that was committed. */
function endProcess(cause: unknown): void {
  setTimeout(() => {
    throw new Error(
      `The embedded database has stopped: ${String(cause)}. Start the service again. All committed data is kept.`,
      {
        cause,
      },
    )
  }, 100)
}
