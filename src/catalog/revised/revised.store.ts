import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import { many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { assignments, type Columns, columnNames, selectList, valueList } from '../columns.store.ts'

/** A record of a product that counts its revisions. */
export type Revised<Terms> = Terms & {
  id: string
  productId: string
  revision: number
  createdAt: Date
  updatedAt: Date
}

export type Place = { productId: string; id: string }

/** `order` is how lists of administrators are ordered. */
export type RevisedTable<Terms> = { name: string; terms: Columns<Terms>; order: Sql }

/** The questions that sections, docs, versions and downloads are asked alike. */
export function revisedStore<Terms>({ name, terms, order }: RevisedTable<Terms>) {
  const table = sql.raw(name)
  const columns = sql`id, product_id as "productId", revision, created_at as "createdAt", updated_at as "updatedAt", ${selectList(terms)}`
  return {
    find: (scope: PlatformScope, { productId, id }: Place): Promise<Revised<Terms> | null> =>
      maybeOne(
        scope,
        sql<Revised<Terms>>`select ${columns} from ${table} where product_id = ${productId} and id = ${id}`,
      ),

    async list(scope: PlatformScope, productId: string, page: PageRequest): Promise<Page<Revised<Terms>>> {
      const items = await many(
        scope,
        sql<Revised<Terms>>`select ${columns} from ${table} where product_id = ${productId}
          order by ${order} limit ${page.limit} offset ${pageOffset(page)}`,
      )
      const { total } = await one(
        scope,
        sql<{ total: number }>`select count(*)::int as total from ${table} where product_id = ${productId}`,
      )
      return { items, total }
    },

    /** All of the products, in the order of lists. */
    listOf: (scope: PlatformScope, productIds: string[]): Promise<Revised<Terms>[]> =>
      many(
        scope,
        sql<
          Revised<Terms>
        >`select ${columns} from ${table} where product_id = any(${productIds}::uuid[]) order by ${order}`,
      ),

    /** Whether another record of the product has this value in the column. */
    isTaken: async (tx: PlatformScope, { productId, id }: Place, [member, value]: [keyof Terms & string, string]) =>
      (await maybeOne(
        tx,
        sql`select 1 from ${table} where product_id = ${productId} and id <> ${id} and ${sql.raw(terms[member][0])} = ${value}`,
      )) !== null,

    async add(tx: PlatformScope, record: Revised<Terms>): Promise<void> {
      const { id, productId, revision, createdAt, updatedAt } = record
      await run(
        tx,
        sql`insert into ${table} (id, product_id, revision, created_at, updated_at, ${columnNames(terms)})
          values (${id}, ${productId}, ${revision}, ${createdAt}, ${updatedAt}, ${valueList<Terms>(terms, record)})`,
      )
    },

    async save(tx: PlatformScope, record: Revised<Terms>): Promise<void> {
      const { id, revision, updatedAt } = record
      await run(
        tx,
        sql`update ${table} set ${assignments<Terms>(terms, record)}, revision = ${revision}, updated_at = ${updatedAt}
          where id = ${id}`,
      )
    },

    async remove(tx: PlatformScope, id: string): Promise<void> {
      await run(tx, sql`delete from ${table} where id = ${id}`)
    },
  }
}

export type RevisedStore<Terms> = ReturnType<typeof revisedStore<Terms>>
