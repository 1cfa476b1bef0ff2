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

/** `askedAtMs`: of the reads that wait for their answer, oldest first; answers come in that order. */
type Line = { client: pg.Client; socket: Socket; askedAtMs: number[] }

const watchMs = 500

/**
 * @param clientOf a client with `pipeline: true` over the socket, not connected yet.
 * @param answerMsMax a connection that owes any answer for longer than this is given up.
 * @param unansweredMax beyond this many nothing more is asked: it would be answered too late.
 */
export function createPipeline({
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
    const made: Line = { client, socket, askedAtMs: [] }
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

  // One watch for all: a timer for each read would cost more than the read saves. The oldest speaks for those behind it,
  // which would else wait for one slow read after another.
  const watch = setInterval(() => {
    const oldestMs = line?.askedAtMs[0] ?? Number.POSITIVE_INFINITY
    if (performance.now() - oldestMs > answerMsMax) line?.socket.destroy()
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
    if (over.askedAtMs.length >= unansweredMax) throw new Error(tooManyWaiters)
    gather(over.socket)
    over.askedAtMs.push(performance.now())
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    // Given as a whole, because the driver takes long to copy the parts of one.
    const query = Object.assign(new pg.Query(sql, parameters as unknown[]), {
      name: names.nameFor(sql),
      callback: (error: Error | null, result: pg.QueryResult) => {
        over.askedAtMs.shift()
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
      const { client, socket } = line ?? {}
      // A network that is silent must not keep the process.
      const patience = setTimeout(() => socket?.destroy(), watchMs)
      await client?.end()
      clearTimeout(patience)
    },
  }
}
