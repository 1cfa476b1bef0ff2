/** A column of sealed values. Whoever seals them declares it, with the same binding. */
export type SealedColumn = {
  table: string
  column: string
  /** The columns that the binding is made of. */
  owner: string[]
  /** What a row's value was sealed with, from the texts of the `owner` columns. */
  boundTo(owner: string[]): string
}
