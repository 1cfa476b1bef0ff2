import { Socket } from 'node:net'
import type pg from 'pg'
import { type StatementResult, send } from './send.ts'
import { tooManyWaiters } from './sql-error.ts'
import type { Statement, StatementNames } from './statement-names.ts'

/**
 * One connection on which many small reads are sent at once: a read waits neither for the answer to the one before it nor
 * for a connection of the pool. This gives 1.2 to 1.9 times the requests a second where a request is one read. It is never
 * for writes: too few of them would share a flush to disk.
 */
export type Pipeline = {
  /** Null while there is no such connection: then use the pool. */
  read(statement: Statement): Promise<StatementResult> | null
  close(): Promise<void>
}

// The reads open it, at most this often while the database is down.
const reopenPauseMs = 1_000

/** `sentAt`: when the unanswered reads were sent, oldest first, in beats of the watch. Answers come in that order. */
type PipelineConnection = { client: pg.Client; socket: Socket; sentAt: number[] }

const watchMs = 500

/**
 * @param createClient makes a client with `pipeline: true` over the socket, not connected yet.
 * @param answerMsMax a connection that leaves any read unanswered for longer than this is closed.
 * @param unansweredMax beyond this many unanswered reads, no more are sent: they would be answered too late.
 */
export function createPipeline({
  createClient,
  names,
  answerMsMax,
  unansweredMax,
}: {
  createClient: (socket: Socket) => pg.Client
  names: StatementNames
  answerMsMax: number
  unansweredMax: number
}): Pipeline {
  let connection: PipelineConnection | null = null
  let openedAtMs = Number.NEGATIVE_INFINITY
  let isOpening = false
  let isClosed = false
  let isCorked = false

  const reopen = () => {
    if (isClosed || isOpening || performance.now() - openedAtMs < reopenPauseMs) return
    isOpening = true
    openedAtMs = performance.now()
    const socket = new Socket()
    const client = createClient(socket)
    const made: PipelineConnection = { client, socket, sentAt: [] }
    const drop = () => {
      if (connection === made) connection = null
    }
    client.on('error', drop)
    client.on('end', drop)
    client.connect().then(
      () => {
        isOpening = false
        if (isClosed) void client.end()
        else connection = made
      },
      () => {
        isOpening = false // the reads use the pool meanwhile, and get its error
      },
    )
  }

  // One timer for all: a timer for each read would cost more than the pipeline saves. If the oldest read is late, the
  // connection is closed, so that the others do not wait for one slow read after another. It counts its own beats, because no
  // answer is read while something holds the event loop, or stops the machine: that is one beat, however long.
  let beats = 0
  const watch = setInterval(() => {
    beats += 1
    const oldest = connection?.sentAt[0] ?? Number.POSITIVE_INFINITY
    if ((beats - oldest) * watchMs > answerMsMax) connection?.socket.destroy()
  }, watchMs).unref()

  /** Reads of one iteration of the event loop are sent in one packet. */
  const corkUntilImmediate = (socket: Socket) => {
    if (isCorked) return
    isCorked = true
    socket.cork()
    setImmediate(() => {
      isCorked = false
      socket.uncork()
    })
  }

  const read = (target: PipelineConnection, statement: Statement): Promise<StatementResult> => {
    if (target.sentAt.length >= unansweredMax) throw new Error(tooManyWaiters)
    corkUntilImmediate(target.socket)
    target.sentAt.push(beats)
    return send(target.client, statement, names.nameFor(statement.sql)).finally(() => target.sentAt.shift())
  }

  return {
    read: (statement) => {
      if (connection !== null) return read(connection, statement)
      reopen()
      return null
    },
    close: async () => {
      isClosed = true
      clearInterval(watch)
      const { client, socket } = connection ?? {}
      // A silent network must not keep the process alive.
      const timer = setTimeout(() => socket?.destroy(), watchMs)
      await client?.end()
      clearTimeout(timer)
    },
  }
}
