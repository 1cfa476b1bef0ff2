import { type Sql, sql } from '../storage/query.ts'

/** The column of each member of a record, and the SQL type of its values. */
export type Columns<T> = { readonly [Member in keyof T]-?: readonly [name: string, type: string] }

/** `a as "b", ...` */
export function selectList<T>(columns: Columns<T>): Sql {
  return sql.join(
    columnEntries(columns).map(([member, [name]]) => sql.raw(`${name} as "${member}"`)),
    sql`, `,
  )
}

/** `a, ...` */
export function columnNames<T>(columns: Columns<T>): Sql {
  return sql.raw(
    columnEntries(columns)
      .map(([, [name]]) => name)
      .join(', '),
  )
}

/** `$1::text, ...` */
export function valueList<T>(columns: Columns<T>, record: T): Sql {
  return sql.join(
    columnEntries(columns).map(([member, [, type]]) => castParameter(record[member], type)),
    sql`, `,
  )
}

/** `a = $1::text, ...` */
export function assignments<T>(columns: Columns<T>, record: T): Sql {
  return sql.join(
    columnEntries(columns).map(
      ([member, [name, type]]) => sql`${sql.raw(name)} = ${castParameter(record[member], type)}`,
    ),
    sql`, `,
  )
}

function columnEntries<T>(columns: Columns<T>): [keyof T & string, readonly [name: string, type: string]][] {
  return Object.entries(columns) as [keyof T & string, readonly [string, string]][]
}

function castParameter(value: unknown, type: string): Sql {
  const sent = type === 'jsonb' && value !== null ? JSON.stringify(value) : value
  return sql`${sent}::${sql.raw(type)}`
}
