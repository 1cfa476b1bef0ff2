import { type Sql, sql } from './sql.ts'

/** Fewer characters have no trigrams. */
const indexedMin = 3

/**
 * Whether the text of a column contains another, in capitals or not. The trigrams say where to look, for an index on
 * `trigrams(column)`: without them each row would be read.
 */
export function contains(column: Sql, text: string): Sql {
  const isInside = sql`strpos(lower(${column}), lower(${text})) > 0`
  if ([...text].length < indexedMin) return isInside
  return sql`(trigrams(${column}) @> trigrams(${text}) and ${isInside})`
}
