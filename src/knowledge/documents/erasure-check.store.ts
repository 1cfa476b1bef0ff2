import { many, maybeOne, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** A table, and which of its columns may hold ids. */
export type SearchedTable = { schema: string; name: string; ids: string[]; texts: string[] }

/** Tables that may name an erased document: they hold nothing of its content. */
const exemptTables = [
  // It says who erased it.
  'audit_log',
  // What is searched for.
  'erased_documents',
]
/** The same for some rows of a table, by its name. */
const exemptRows: Record<string, Sql> = {
  // The request that made it, once its answer is erased: a repeat is then refused and not executed. The row expires after a
  // day. An answer that is still there is a leftover; it is sealed, but the row names what it is about.
  idempotency_keys: sql`t.answer_sealed is null`,
  // The events that told of it, which consist of ids. `org.document.deleted` is sent after the erasure.
  webhook_messages: sql`t.type in ('org.document.ready', 'org.document.failed', 'org.document.deleted')`,
}

/** All tables but the exempt ones. Columns of bytes are left out: they are digests, sealed, or parts of files. */
export function listSearchedTables(platform: PlatformScope): Promise<SearchedTable[]> {
  const columnsOf = (types: Sql) =>
    sql`coalesce(array_agg(a.attname::text order by a.attnum) filter (where ${types}), '{}')`
  return many(
    platform,
    sql<SearchedTable>`select n.nspname as schema, c.relname as name,
        ${columnsOf(sql`t.typname in ('uuid', '_uuid')`)} as ids,
        ${columnsOf(sql`t.typname in ('text', 'varchar', 'json', 'jsonb', '_text')`)} as texts
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid
      where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' and c.relname <> all (${exemptTables}::text[])
      group by n.nspname, c.relname order by 1, 2`,
  )
}

/** How many pages of 8 KB a table has. */
export async function countPages(platform: PlatformScope, { schema, name }: SearchedTable): Promise<number> {
  const found = await maybeOne(
    platform,
    sql<{ pages: number }>`select (pg_relation_size(format('%I.%I', ${schema}::text, ${name}::text)::regclass)
      / current_setting('block_size')::int)::int as pages`,
  )
  return found?.pages ?? 0
}

const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Which of the ids stand in some pages of a table: `from` included, `to` not. */
export async function findIdsIn(
  platform: PlatformScope,
  { schema, name, ids: idColumns, texts }: SearchedTable,
  { ids, from, to }: { ids: string[]; from: number; to: number },
): Promise<string[]> {
  const column = (each: string) => sql.raw(`t."${each.replaceAll('"', '""')}"`)
  const values = [
    ...idColumns.map((each) => sql`select found from unnest(array[]::uuid[] || ${column(each)}) as found`),
    ...texts.map(
      (each) => sql`select m[1]::uuid from regexp_matches(${column(each)}::text, ${`(${uuidPattern})`}, 'g') as m`,
    ),
  ]
  if (values.length === 0) return []
  const found = await many(
    platform,
    sql<{ id: string }>`select distinct v.found as id
      from ${sql.raw(`"${schema}"."${name}"`)} t, lateral (${sql.join(values, sql` union all `)}) as v(found)
      where not (${exemptRows[name] ?? sql`false`}) and t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${to},0)`}::tid and v.found = any (${ids}::uuid[])`,
  )
  return found.map(({ id }) => id)
}
