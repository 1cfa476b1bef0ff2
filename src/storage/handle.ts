import type { Sql } from './sql.ts'

/** Access to the database: the pool, or one transaction. Stores use it through `query.ts`. */
export type Handle = {
  readonly inTransaction: boolean
  execute<R>(statement: Sql<R>): Promise<{ rows: R[]; affected: number }>
  /**
   * For a statement that only reads, uses an index, and runs with nearly every request. Outside a transaction it may
   * share a connection with other such reads; like any statement, it sees what was committed before the call. In a
   * transaction it may also lock rows; before the first `execute` it is sent in one packet with `begin`. A change is not: if
   * `begin` failed, it would be committed by itself.
   */
  readPipelined<R>(statement: Sql<R>): Promise<{ rows: R[]; affected: number }>
  transaction<T>(work: (handle: Handle) => Promise<T>): Promise<T>
  /** Runs the effect after the transaction is committed, or at once without one. For effects outside the database. */
  afterCommit(effect: () => void): void
}
