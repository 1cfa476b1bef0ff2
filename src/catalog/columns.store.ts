import { type Sql, sql } from '../storage/query.ts'

/** The column of each member of a record and the type its values are sent as. */
export type Columns<T> = { readonly [Member in keyof T]-?: readonly [name: string, type: string] }

/** `a as "b", ...` */
export function selected<T>(columns: Columns<T>): Sql {
  return sql.join(
    entriesOf(columns).map(([member, [name]]) => sql.raw(`${name} as "${member}"`)),
    sql`, `,
  )
}

/** `a, ...` */
export function namesOf<T>(columns: Columns<T>): Sql {
  return sql.raw(
    entriesOf(columns)
      .map(([, [name]]) => name)
      .join(', '),
  )
}

/** `$1::text, ...` */
export function valuesOf<T>(columns: Columns<T>, record: T): Sql {
  return sql.join(
    entriesOf(columns).map(([member, [, type]]) => sentAs(record[member], type)),
    sql`, `,
  )
}

/** `a = $1::text, ...` */
export function assignmentsOf<T>(columns: Columns<T>, record: T): Sql {
  return sql.join(
    entriesOf(columns).map(([member, [name, type]]) => sql`${sql.raw(name)} = ${sentAs(record[member], type)}`),
    sql`, `,
  )
}

function entriesOf<T>(columns: Columns<T>): [keyof T & string, readonly [name: string, type: string]][] {
  return Object.entries(columns) as [keyof T & string, readonly [string, string]][]
}

function sentAs(value: unknown, type: string): Sql {
  const sent = type === 'jsonb' && value !== null ? JSON.stringify(value) : value
  return sql`${sent}::${sql.raw(type)}`
}
