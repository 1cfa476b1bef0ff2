import type pg from 'pg'
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

/** @param clientOf a client with `pipeline: true` that has not connected yet. */
export function pipelineOf({ clientOf, names }: { clientOf: () => pg.Client; names: StatementNames }): Pipeline {
  let open: pg.Client | null = null
  let openedAtMs = Number.NEGATIVE_INFINITY
  let isClosed = false

  const reopen = () => {
    if (isClosed || performance.now() - openedAtMs < reopenPauseMs) return
    openedAtMs = performance.now()
    const client = clientOf()
    const drop = () => {
      if (open === client) open = null
    }
    client.on('error', drop)
    client.on('end', drop)
    client.connect().then(
      () => {
        if (isClosed) void client.end()
        else open = client
      },
      () => undefined, // whoever asks the pool meanwhile is told by the pool
    )
  }

  return {
    read: ({ sql, parameters }) => {
      if (open === null) {
        reopen()
        return null
      }
      const name = names.nameOf(sql)
      return open.query({ text: sql, values: parameters as unknown[], ...(name === undefined ? {} : { name }) })
    },
    close: async () => {
      isClosed = true
      await open?.end()
    },
  }
}
