import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Handle } from './handle.ts'
import type { Pipeline } from './pipeline.ts'
import type { Connection, StorageLog } from './pool.ts'
import { compile, type Sql } from './sql.ts'
import { isConnectionLost, isRetryable } from './sql-error.ts'
import type { Statement } from './statement-names.ts'

type Effect = () => void
type Frame = { isOpen: boolean; effects: Effect[] }

const retriesMax = 3
const retryDelayMs = 10
// A read whose connection broke may be asked again; one that got no answer for longer than this has waited enough.
const secondTryMsMax = 1_000

type Parts = {
  connect: () => Promise<Connection>
  log: StorageLog
  /** Null where there is one connection for everything. */
  pipeline?: Pipeline | null
}

/**
 * The handle of a whole database. Inside `transaction` it refuses to be asked: PGlite has one connection, which the
 * transaction holds, so the question would wait for ever. Both databases refuse, so that tests on either find it.
 */
export function rootHandle({ connect, log, pipeline = null }: Parts): Handle {
  const frames = new AsyncLocalStorage<Frame>()

  const refuseInside = () => {
    // A timer that was started inside outlives the transaction: by then its frame is closed.
    if (frames.getStore()?.isOpen !== true) return
    throw new Error(
      'The database was asked past its open transaction. Ask through the scope that `transaction` gave to its work; ' +
        'what is to happen outside belongs into `afterCommit`.',
    )
  }

  const run = async (statement: Statement) => {
    const connection = await connect()
    try {
      return await connection.query(statement)
    } finally {
      connection.release()
    }
  }

  const runLook = async (statement: Statement) => {
    const askedAtMs = performance.now()
    const answered = pipeline?.read(statement) ?? null
    if (answered === null) return retrying(() => run(statement))
    try {
      return await answered
    } catch (error) {
      const isWorthATry = isRetryable(error) || isConnectionLost(error)
      if (!isWorthATry || performance.now() - askedAtMs > secondTryMsMax) throw error
      return retrying(() => run(statement))
    }
  }

  const runTransaction = async <T>(work: (handle: Handle) => Promise<T>): Promise<T> => {
    const connection = await connect()
    const frame: Frame = { isOpen: true, effects: [] }
    try {
      await connection.query(plain('begin'))
      const result = await frames.run(frame, () => work(transactionHandle(connection, frame)))
      frame.isOpen = false
      await commit(connection)
      connection.release()
      for (const effect of frame.effects) perform(effect, log)
      return result
    } catch (error) {
      frame.isOpen = false
      await rollback(connection)
      throw error
    }
  }

  return {
    inTransaction: false,
    execute: async <R>(statement: Sql<R>) => {
      refuseInside()
      const compiled = compile(statement)
      return answer<R>(await retrying(() => run(compiled)))
    },
    readPipelined: async <R>(statement: Sql<R>) => {
      refuseInside()
      return answer<R>(await runLook(compile(statement)))
    },
    transaction: async (work) => {
      refuseInside()
      return retrying(() => runTransaction(work))
    },
    afterCommit: (effect) => {
      refuseInside()
      perform(effect, log)
    },
  }
}

function transactionHandle(connection: Connection, frame: Frame): Handle {
  const refuseAfterwards = () => {
    if (!frame.isOpen) throw new Error('The transaction is over: its handle was used after its work had returned.')
  }
  const execute = async <R>(statement: Sql<R>) => {
    refuseAfterwards()
    return answer<R>(await connection.query(compile(statement)))
  }
  const handle: Handle = {
    inTransaction: true,
    execute,
    readPipelined: execute,
    transaction: async (work) => {
      refuseAfterwards()
      return work(handle)
    },
    afterCommit: (effect) => {
      refuseAfterwards()
      frame.effects.push(effect)
    },
  }
  return handle
}

async function commit(connection: Connection): Promise<void> {
  const { command } = await connection.query(plain('commit'))
  // PostgreSQL answers so, without an error, when a statement failed and the work went on as if it had not.
  if (command === 'ROLLBACK') {
    throw new Error('The transaction was undone: one of its statements had failed and the error was not passed on.')
  }
}

async function rollback(connection: Connection): Promise<void> {
  try {
    if (!connection.isLost()) await connection.query(plain('rollback'))
  } catch {
    // Then the connection is lost, and the server rolls back by itself.
  } finally {
    connection.release()
  }
}

/** The change is in the database whatever becomes of the effect. */
function perform(effect: Effect, log: StorageLog): void {
  Promise.try(effect).catch((error: unknown) => log.warn({ err: error }, 'an effect after a commit failed'))
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ; retry++) {
    try {
      return await work()
    } catch (error) {
      if (retry > retriesMax || !isRetryable(error)) throw error
      // Two that met once must not meet again at the same moment.
      await delay(Math.random() * retry * retryDelayMs)
    }
  }
}

function plain(sql: string): Statement {
  return { sql, parameters: [] }
}

function answer<R>({ rows, rowCount }: { rows: R[]; rowCount: number | null }): { rows: R[]; affected: number } {
  return { rows, affected: rowCount ?? 0 }
}
