import type { FileRows, OrganizationRows, TenantTable } from '../../kernel/tenant-table.ts'
import { erasableRows } from '../../storage/byte-parts.ts'
import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import { completeWhitelabel } from './tenant.rules.ts'
import type { UnerasedTenant } from './tenant-file.rules.ts'

const tenantColumns = sql`id, name, slug, contact_email as "contactEmail", status, limits, products,
  are_products_chosen as "areProductsChosen", whitelabel_config as "whitelabelConfig",
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

function unerasedTenant(row: UnerasedTenant | null): UnerasedTenant | null {
  return row && { ...row, whitelabelConfig: completeWhitelabel(row.whitelabelConfig) }
}

/** Also finds a deleted tenant, unless it is erased. */
export async function findUnerasedTenant(platform: PlatformScope, id: string): Promise<UnerasedTenant | null> {
  return unerasedTenant(
    await maybeOne(
      platform,
      sql<UnerasedTenant>`select ${tenantColumns} from tenants where id = ${id} and erased_at is null`,
    ),
  )
}

/** The same, locked so strongly that no row that refers to the tenant can be added until the transaction ends. */
export async function lockUnerasedTenant(tx: PlatformScope, id: string): Promise<UnerasedTenant | null> {
  return unerasedTenant(
    await maybeOne(
      tx,
      sql<UnerasedTenant>`select ${tenantColumns} from tenants where id = ${id} and erased_at is null for update`,
    ),
  )
}

/** Makes the transaction read one consistent snapshot. Must be its first statement. */
export async function useSnapshot(tx: Scope): Promise<void> {
  await run(tx, sql`set transaction isolation level repeatable read`)
}

const pageSize = 1000

/** Only the rows of an organization, as the declarations of the tables say. */
export type OrganizationFilter = { tables: TenantTable[]; rows: OrganizationRows; orgId: string }

/** The rows of a tenant in pages (keyset pagination). */
export async function* rowPages(
  tx: TenantScope,
  { table, rows, filter }: { table: string; rows: FileRows; filter?: OrganizationFilter },
): AsyncGenerator<Record<string, unknown>[]> {
  const condition = filter === undefined ? sql`` : belongsToOrganization(tx, table, filter)
  const { key, columns, opened = [] } = rows
  const order = sql.raw(key.join(', '))
  const selected = sql.raw([...columns, ...opened.map(({ column }) => column)].join(', '))
  for (let last: Record<string, unknown> | undefined; ; ) {
    const after =
      last &&
      sql`and (${order}) > (${sql.join(
        key.map((column) => last?.[column]),
        sql`, `,
      )})`
    const page: Record<string, unknown>[] = await many(
      tx,
      sql<Record<string, unknown>>`select ${selected} from ${sql.raw(table)}
        where tenant_id = ${tx.tenantId} ${condition} ${after ?? sql``} order by ${order} limit ${pageSize}`,
    )
    if (page.length > 0) yield page
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}

/** Every column is led by its table: those of a parent may have the same name. */
function belongsToOrganization(tx: TenantScope, table: string, { tables, rows, orgId }: OrganizationFilter): Sql {
  const column = (name: string) => sql.raw(`${table}.${name}`)
  const { where = {}, notNull, reached } = rows
  const parent = tables.find(({ name }) => name === rows.parent)
  const conditions = [
    ...Object.entries(where).map(([name, value]) => sql`${column(name)} = ${value}`),
    ...(notNull === undefined ? [] : [sql`${column(notNull)} is not null`]),
  ]
  if (parent?.ofOrganization === undefined) conditions.push(sql`${column(rows.column)} = ${orgId}`)
  else {
    const { name, ofOrganization } = parent
    const ofParent = belongsToOrganization(tx, name, { tables, rows: ofOrganization, orgId })
    const isReached = reached && sql`and ${column(reached.column)} >= ${sql.raw(`${name}.${reached.parentColumn}`)}`
    conditions.push(sql`exists (select from ${sql.raw(name)}
      where ${sql.raw(name)}.tenant_id = ${tx.tenantId} and ${sql.raw(name)}.id = ${column(rows.column)} ${ofParent} ${isReached ?? sql``})`)
  }
  return sql`and ${sql.join(conditions, sql` and `)}`
}

const batchSize = 5000

/** Deletes the tenant's rows and returns their number. In batches, because a tenant may have a million rows and statements have a timeout. */
export async function deleteRows(tx: TenantScope, { name, largeColumns = [] }: TenantTable): Promise<number> {
  const table = sql.raw(name)
  const sizes = largeColumns.map((column) => sql`coalesce(octet_length(${sql.raw(column)}), 0)`)
  const bytes = sizes.length === 0 ? sql`0` : sql.join(sizes, sql` + `)
  const rows = sql`from ${table} where tenant_id = ${tx.tenantId} limit ${batchSize}`
  const deletion = sql`delete from ${table} where ctid = any (${erasableRows({ bytes, rows })})`
  let total = 0
  for (;;) {
    const deleted = await run(tx, deletion)
    if (deleted === 0) return total
    total += deleted
  }
}

/** Keeps only the id and the times, so that the id is never used again. */
export async function markErased(tx: PlatformScope, { id, now }: { id: string; now: Date }): Promise<void> {
  await run(
    tx,
    sql`update tenants set name = 'erased', slug = 'erased-' || id, contact_email = '', limits = '{}', products = '{}', whitelabel_config = null,
        status = 'SUSPENDED', updated_at = ${now}, deleted_at = coalesce(deleted_at, ${now}), erased_at = ${now}
      where id = ${id}`,
  )
}
