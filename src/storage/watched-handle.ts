import type { Handle } from './handle.ts'

/**
 * A handle that calls `resume` before and after each wait for the database, on behalf of the request that waits. Before,
 * because the embedded database does its work in our own thread.
 */
export function watchedHandle(handle: Handle, resume: () => void): Handle {
  const watched = async <T>(ask: () => Promise<T>): Promise<T> => {
    resume()
    try {
      return await ask()
    } finally {
      resume()
    }
  }
  return {
    inTransaction: handle.inTransaction,
    execute: (statement) => watched(() => handle.execute(statement)),
    readPipelined: (statement) => watched(() => handle.readPipelined(statement)),
    transaction: (work) => watched(() => handle.transaction((inner) => work(watchedHandle(inner, resume)))),
    afterCommit: handle.afterCommit,
  }
}
