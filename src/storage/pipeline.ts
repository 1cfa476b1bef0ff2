import { Socket } from 'node:net'
import pg from 'pg'
import { tooManyWaiters } from './sql-error.ts'
import type { Statement, StatementNames } from './statement-names.ts'

/**
 * One connection on which many small reads travel at once: a read does not wait for the answer of the one before it,
 * nor for a connection of the pool. 1.2 to 1.9 times the requests a second where a request is one read. Never for
 * writes: too few of them would share a flush to disk.
 */
export type Pipeline = {
  /** Null while there is no such connection: then ask the pool. */
  read(statement: Statement): Promise<pg.QueryResult> | null
  close(): Promise<void>
}

// Opened by the reads themselves, and not more often than this while the database is away.
const reopenPauseMs = 1_000

type Line = { client: pg.Client; socket: Socket; unanswered: number; heardAtMs: number }

const watchMs = 500

/**
 * @param clientOf a client with `pipeline: true` over the socket, not connected yet.
 * @param answerMsMax a connection that owes an answer for longer than this is given up.
 * @param unansweredMax beyond this many nothing more is asked: it would be answered too late.
 */
export function pipelineOf({
  clientOf,
  names,
  answerMsMax,
  unansweredMax,
}: {
  clientOf: (socket: Socket) => pg.Client
  names: StatementNames
  answerMsMax: number
  unansweredMax: number
}): Pipeline {
  let line: Line | null = null
  let openedAtMs = Number.NEGATIVE_INFINITY
  let isOpening = false
  let isClosed = false
  let isCorked = false

  const reopen = () => {
    if (isClosed || isOpening || performance.now() - openedAtMs < reopenPauseMs) return
    isOpening = true
    openedAtMs = performance.now()
    const socket = new Socket()
    const client = clientOf(socket)
    const made: Line = { client, socket, unanswered: 0, heardAtMs: 0 }
    const drop = () => {
      if (line === made) line = null
    }
    client.on('error', drop)
    client.on('end', drop)
    client.connect().then(
      () => {
        isOpening = false
        if (isClosed) void client.end()
        else line = made
      },
      () => {
        isOpening = false // whoever asks the pool meanwhile is told by the pool
      },
    )
  }

  // One watch for all: a timer for each read would cost more than the read saves.
  const watch = setInterval(() => {
    if (line !== null && line.unanswered > 0 && performance.now() - line.heardAtMs > answerMsMax) line.socket.destroy()
  }, watchMs).unref()

  /** What is asked while the events of one moment are handled leaves in one packet. */
  const gather = (socket: Socket) => {
    if (isCorked) return
    isCorked = true
    socket.cork()
    setImmediate(() => {
      isCorked = false
      socket.uncork()
    })
  }

  const readOver = (over: Line, { sql, parameters }: Statement): Promise<pg.QueryResult> => {
    if (over.unanswered >= unansweredMax) throw new Error(tooManyWaiters)
    gather(over.socket)
    if (over.unanswered++ === 0) over.heardAtMs = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    // Given as a whole, because the driver takes long to copy the parts of one.
    const query = Object.assign(new pg.Query(sql, parameters as unknown[]), {
      name: names.nameOf(sql),
      callback: (error: Error | null, result: pg.QueryResult) => {
        over.unanswered -= 1
        over.heardAtMs = performance.now()
        if (error) reject(error)
        else resolve(result)
      },
    })
    over.client.query(query)
    return promise
  }

  return {
    read: (statement) => {
      if (line !== null) return readOver(line, statement)
      reopen()
      return null
    },
    close: async () => {
      isClosed = true
      clearInterval(watch)
      await line?.client.end()
    },
  }
}
