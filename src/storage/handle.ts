import type { Sql } from './sql.ts'

/** A way to the database: the pool, or one transaction of it. Stores reach it through `query.ts`. */
export type Handle = {
  readonly inTransaction: boolean
  execute<R>(statement: Sql<R>): Promise<{ rows: R[]; affected: number }>
  /**
   * For a statement that only reads, by an index, and is asked with nearly every request. Outside a transaction it may
   * travel beside others on one connection; it sees what was committed before it was asked, like any other.
   */
  readPipelined<R>(statement: Sql<R>): Promise<{ rows: R[]; affected: number }>
  transaction<T>(work: (handle: Handle) => Promise<T>): Promise<T>
  /** Runs once the transaction has been committed; at once when there is none. For effects outside the database. */
  afterCommit(effect: () => void): void
}
