/** A column of sealed values, declared by the capability that seals them. */
export type SealedColumn = {
  table: string
  column: string
  /** The columns that identify the row in the context. */
  owner: string[]
  /** The context with which a row's value was sealed, from the values of the `owner` columns. */
  context(owner: string[]): string
}
