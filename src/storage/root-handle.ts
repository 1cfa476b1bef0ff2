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
// A read whose connection broke is tried again, unless it has waited for longer than this.
const secondTryMsMax = 1_000

type Parts = {
  connect: (use?: { isReading: boolean }) => Promise<Connection>
  log: StorageLog
  /** Null if there is one connection for everything. */
  pipeline?: Pipeline | null
}

/**
 * The handle of a whole database. Inside `transaction` it throws: PGlite has one connection, which the transaction holds, so
 * a statement would wait for ever. It throws on both databases, so that tests on either find the mistake.
 */
export function rootHandle({ connect, log, pipeline = null }: Parts): Handle {
  const frames = new AsyncLocalStorage<Frame>()

  const throwInsideTransaction = () => {
    // A timer that was started inside may outlive the transaction: by then its frame is closed.
    if (frames.getStore()?.isOpen !== true) return
    throw new Error(
      'A statement was run outside the open transaction. Use the scope that `transaction` passes to its work; ' +
        'effects outside the database belong in `afterCommit`.',
    )
  }

  const run = async (statement: Statement, use?: { isReading: boolean }) => {
    const connection = await connect(use)
    try {
      return await connection.query(statement)
    } finally {
      await connection.release()
    }
  }

  const runPipelined = async (statement: Statement) => {
    const startedAtMs = performance.now()
    const answer = pipeline?.read(statement) ?? null
    if (answer === null) return retrying(() => run(statement, { isReading: true }))
    try {
      return await answer
    } catch (error) {
      const mayRetry = isRetryable(error) || isConnectionLost(error)
      if (!mayRetry || performance.now() - startedAtMs > secondTryMsMax) throw error
      return retrying(() => run(statement, { isReading: true }))
    }
  }

  const runTransaction = async <T>(work: (handle: Handle) => Promise<T>): Promise<T> => {
    const connection = await connect()
    const frame: Frame = { isOpen: true, effects: [] }
    let result: T
    try {
      const begun = connection.query(withoutParameters('begin'))
      begun.catch(() => undefined) // the caller that waits for it sees the error
      result = await frames.run(frame, () => work(transactionHandle(connection, frame, begun)))
      await begun
      frame.isOpen = false
      await commit(connection)
    } catch (error) {
      frame.isOpen = false
      await rollback(connection)
      throw error
    }
    await connection.release()
    for (const effect of frame.effects) perform(effect, log)
    return result
  }

  return {
    inTransaction: false,
    execute: async <R>(statement: Sql<R>) => {
      throwInsideTransaction()
      const compiled = compile(statement)
      return toResult<R>(await retrying(() => run(compiled)))
    },
    readPipelined: async <R>(statement: Sql<R>) => {
      throwInsideTransaction()
      return toResult<R>(await runPipelined(compile(statement)))
    },
    transaction: async (work) => {
      throwInsideTransaction()
      return retrying(() => runTransaction(work))
    },
    afterCommit: (effect) => {
      throwInsideTransaction()
      perform(effect, log)
    },
  }
}

function transactionHandle(connection: Connection, frame: Frame, begun: Promise<unknown>): Handle {
  let hasExecuted = false
  const throwAfterEnd = () => {
    if (!frame.isOpen) throw new Error('The transaction is over. Its handle was used after its work had returned.')
  }
  const execute = async <R>(statement: Sql<R>) => {
    throwAfterEnd()
    hasExecuted = true
    await begun
    throwAfterEnd()
    return toResult<R>(await connection.query(compile(statement)))
  }
  /** Does not wait for `begin`, unless it would overtake a statement. */
  const readPipelined = async <R>(statement: Sql<R>) => {
    if (hasExecuted) return execute(statement)
    throwAfterEnd()
    return toResult<R>(await connection.query(compile(statement)))
  }
  const handle: Handle = {
    inTransaction: true,
    execute,
    readPipelined,
    transaction: async (work) => {
      throwAfterEnd()
      return work(handle)
    },
    afterCommit: (effect) => {
      throwAfterEnd()
      frame.effects.push(effect)
    },
  }
  return handle
}

async function commit(connection: Connection): Promise<void> {
  const { command } = await connection.query(withoutParameters('commit'))
  // PostgreSQL answers ROLLBACK, without an error, if a statement had failed and the work went on regardless.
  if (command === 'ROLLBACK') {
    throw new Error(
      'The transaction was rolled back. One of its statements had failed, and the error was not passed on.',
    )
  }
}

async function rollback(connection: Connection): Promise<void> {
  try {
    if (!connection.isLost()) await connection.query(withoutParameters('rollback'))
  } catch {
    // The connection is lost, so the server rolls back by itself.
  } finally {
    await connection.release()
  }
}

/** The change is committed, whether the effect succeeds or not. */
function perform(effect: Effect, log: StorageLog): void {
  Promise.try(effect).catch((error: unknown) => log.warn({ err: error }, 'an effect after a commit failed'))
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ; retry++) {
    try {
      return await work()
    } catch (error) {
      if (retry > retriesMax || !isRetryable(error)) throw error
      // Two transactions that conflicted must not retry at the same moment.
      await delay(Math.random() * retry * retryDelayMs)
    }
  }
}

function withoutParameters(sql: string): Statement {
  return { sql, parameters: [] }
}

function toResult<R>({ rows, rowCount }: { rows: R[]; rowCount: number | null }): { rows: R[]; affected: number } {
  return { rows, affected: rowCount ?? 0 }
}
