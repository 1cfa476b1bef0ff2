import type { Session } from './session.ts'

// What there is to back up, asked of the database itself: a migration that adds a table has nothing to do here. All
// names come quoted, and with their schema where it is not the connection's own.

export type Column = { name: string; type: string }
export type Table = { name: string; columns: Column[] }
/** How one thing is taken away while rows are loaded, and put back. */
export type Obstacle = { remove: string; restore: string }

/** A table of ours: no system's, no extension's, no partition, which is read and filled through its whole. */
const isOurs = `
  n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and not c.relispartition and c.relpersistence <> 't'
  and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

const nameOf = `case when n.nspname = current_schema() then quote_ident(c.relname)
  else quote_ident(n.nspname) || '.' || quote_ident(c.relname) end`

/** The tables with their stored columns; those that the database computes by itself are left out, and so is the list of migrations. */
export async function listTables(session: Session): Promise<Table[]> {
  const rows = await session.rows(`
    select ${nameOf} as name, json_agg(json_build_array(quote_ident(a.attname), format_type(a.atttypid, a.atttypmod))
        order by a.attnum)::text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and ${isOurs} and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and ${nameOf} <> 'schema_migrations'
      group by 1 order by 1`)
  return rows.map(([name, columns]) => ({
    name: name as string,
    columns: (JSON.parse(columns as string) as [string, string][]).map(([column, type]) => ({ name: column, type })),
  }))
}

export async function hasTables(session: Session): Promise<boolean> {
  const found = await session.rows(
    `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and ${isOurs} limit 1`,
  )
  return found.length > 0
}

export async function listSequences(session: Session): Promise<string[]> {
  const rows = await session.rows(
    `select ${nameOf} as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'S' and ${isOurs} order by 1`,
  )
  return rows.map(([name]) => name as string)
}

/**
 * What would refuse or change rows that come in any order: foreign keys, and triggers of our own. Putting a foreign key
 * back checks every row against it. Switching both off for the session instead takes rights that a hosted PostgreSQL
 * does not give.
 */
export async function findObstacles(session: Session): Promise<Obstacle[]> {
  const foreignKeys = await session.rows(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = c.relnamespace
      where contype = 'f' and conparentid = 0 and ${isOurs} order by 1`)
  const triggers = await session.rows(`
    select format('alter table %s disable trigger %I', c.oid::regclass, tgname),
        format('alter table %s enable %s trigger %I', c.oid::regclass, case tgenabled when 'A' then 'always' else '' end, tgname)
      from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not tgisinternal and tgenabled in ('O', 'A') and ${isOurs} order by 1`)
  return [...triggers, ...foreignKeys].map(([remove, restore]) => ({
    remove: remove as string,
    restore: restore as string,
  }))
}
