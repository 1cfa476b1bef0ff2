import { offsetOf, type Page, type PageRequest } from '../../kernel/paging.ts'
import { many, maybe, one, run, sql } from '../../storage/query.ts'
import type { Scope } from '../../storage/scope.ts'
import { assignmentsOf, type Columns, namesOf, selected, valuesOf } from '../columns.store.ts'
import type { Stored } from './record.rules.ts'

/** A table of records of products: `id, product_id, position, created_at, updated_at` and columns of its own. */
export type RecordTable<Terms> = { name: string; terms: Columns<Terms>; unique: (keyof Terms & string) | null }

type Place = { productId: string; id: string }

/** The questions that features, plans and media are asked alike. */
export function recordStore<Terms>({ name, terms, unique }: RecordTable<Terms>) {
  const table = sql.raw(name)
  const columns = sql`id, product_id as "productId", position as "order", ${selected(terms)}, created_at as "createdAt", updated_at as "updatedAt"`
  const uniqueColumn = unique === null ? null : sql.raw(terms[unique][0])

  return {
    async list(scope: Scope, productId: string, page: PageRequest): Promise<Page<Stored<Terms>>> {
      const items = await many(
        scope,
        sql<Stored<Terms>>`select ${columns} from ${table} where product_id = ${productId}
          order by position, id limit ${page.limit} offset ${offsetOf(page)}`,
      )
      const { total } = await one(
        scope,
        sql<{ total: number }>`select count(*)::int as total from ${table} where product_id = ${productId}`,
      )
      return { items, total }
    },

    listOf: (scope: Scope, productIds: string[]): Promise<Stored<Terms>[]> =>
      many(
        scope,
        sql<
          Stored<Terms>
        >`select ${columns} from ${table} where product_id = any(${productIds}::uuid[]) order by position, id`,
      ),

    find: (scope: Scope, { productId, id }: Place): Promise<Stored<Terms> | null> =>
      maybe(scope, sql<Stored<Terms>>`select ${columns} from ${table} where product_id = ${productId} and id = ${id}`),

    /** In the order in which they are shown. */
    idsOf: async (tx: Scope, productId: string): Promise<string[]> =>
      (
        await many(
          tx,
          sql<{ id: string }>`select id from ${table} where product_id = ${productId} order by position, id`,
        )
      ).map(({ id }) => id),

    /** Whether another record of the product has the value of the column that tells them apart. */
    isTaken: async (tx: Scope, { productId, id }: Place, value: unknown): Promise<boolean> =>
      uniqueColumn !== null &&
      (await maybe(
        tx,
        sql`select 1 from ${table} where product_id = ${productId} and id <> ${id} and ${uniqueColumn} = ${value}`,
      )) !== null,

    async add(tx: Scope, row: Place & { terms: Terms; order: number; createdAt: Date }) {
      await run(
        tx,
        sql`insert into ${table} (id, product_id, position, ${namesOf(terms)}, created_at, updated_at)
          values (${row.id}, ${row.productId}, ${row.order}, ${valuesOf(terms, row.terms)}, ${row.createdAt}, ${row.createdAt})`,
      )
    },

    async save(tx: Scope, { productId, id }: Place, row: { terms: Terms; now: Date }) {
      await run(
        tx,
        sql`update ${table} set ${assignmentsOf(terms, row.terms)}, updated_at = ${row.now}
          where product_id = ${productId} and id = ${id}`,
      )
    },

    async remove(tx: Scope, { productId, id }: Place) {
      await run(tx, sql`delete from ${table} where product_id = ${productId} and id = ${id}`)
    },

    async removeAll(tx: Scope, productId: string) {
      await run(tx, sql`delete from ${table} where product_id = ${productId}`)
    },

    /** Numbers the product's records from 0 in the order of the ids. */
    async setOrder(tx: Scope, productId: string, ids: string[]) {
      await run(
        tx,
        sql`update ${table} set position = place.number - 1 from unnest(${ids}::uuid[]) with ordinality as place(id, number)
          where product_id = ${productId} and ${table}.id = place.id and position <> place.number - 1`,
      )
    },
  }
}

export type RecordStore<Terms> = ReturnType<typeof recordStore<Terms>>
