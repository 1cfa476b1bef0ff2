type Query = (sql: string) => Promise<unknown>
type Waiter = { resolve(): void; reject(reason: unknown): void }

/** Whoever takes the connection calls `begin` before the first statement, and `end` instead of giving it back. */
export type GroupCommit = {
  begin(query: Query): Promise<void>
  /** Gives the connection back. Resolves once all that was committed before is on the disk. */
  end(giveBack: () => void): Promise<void>
}

// Some ten small transactions: with more of them in a group a fast disk saves hardly anything.
const groupMsMax = 4

// Inside of a transaction, too, a message writes the log to the disk. Nobody reads it.
const flush = `case when pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()
  then pg_logical_emit_message(false, '', '', true) end`

/**
 * Lets the callers of one connection share writes to the disk, as the connections of a PostgreSQL server do. While others wait
 * for the connection, a commit does not wait for the disk: its caller waits until the log is written for several commits at
 * once. So does everybody else who used the connection meanwhile, because they may have read what was not on the disk yet.
 * @param isAwaited whether others wait for the connection. Whoever does will get it.
 */
export function groupCommit(isAwaited: () => boolean): GroupCommit {
  let query: Query = async () => undefined
  let isGrouping = false
  let waiters: Waiter[] = []
  let timer: NodeJS.Timeout | null = null

  /** Those who wait now: for commits of which all come before a flush that is sent next. */
  const takeWaiters = (): Waiter[] => {
    const taken = waiters
    waiters = []
    if (timer !== null) clearTimeout(timer)
    timer = null
    return taken
  }

  const wait = (waiter: Waiter) => {
    waiters.push(waiter)
    timer ??= setTimeout(flushMeanwhile, groupMsMax)
  }

  /** Somebody has the connection, and may keep it for long. */
  const flushMeanwhile = async () => {
    const taken = takeWaiters()
    try {
      await query(`select ${flush}`)
      for (const { resolve } of taken) resolve()
    } catch {
      // A transaction that has failed takes no statement. Its end is near.
      for (const waiter of taken) wait(waiter)
    }
  }

  const endGroup = async () => {
    const taken = takeWaiters()
    try {
      await query(`select set_config('synchronous_commit', 'on', false), ${flush}`)
      isGrouping = false
      for (const { resolve } of taken) resolve()
    } catch (error) {
      for (const { reject } of taken) reject(error)
      throw error
    }
  }

  return {
    begin: async (current) => {
      query = current
      if (isGrouping || !isAwaited()) return
      // Whatever fails here fails again with the first statement, which tells of it.
      isGrouping = await query('set synchronous_commit = off').then(
        () => true,
        () => false,
      )
    },
    end: async (giveBack) => {
      if (isGrouping && isAwaited()) {
        const flushed = new Promise<void>((resolve, reject) => wait({ resolve, reject }))
        giveBack()
        return flushed
      }
      try {
        if (isGrouping) await endGroup()
      } finally {
        giveBack()
      }
    },
  }
}
