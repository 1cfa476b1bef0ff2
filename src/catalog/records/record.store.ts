import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Columns } from '../columns.store.ts'
import { revisedStore } from '../revised/revised.store.ts'

type Placed<Terms> = Terms & { order: number }

/** A table of records of products that stand in an order: columns of its own beside `position` and what is revised. */
export type RecordTable<Terms> = { name: string; terms: Columns<Terms> }

/** The questions that features, plans and media are asked alike. */
export function recordStore<Terms>({ name, terms }: RecordTable<Terms>) {
  const table = sql.raw(name)
  const columns = { ...terms, order: ['position', 'integer'] } as Columns<Placed<Terms>>

  return {
    ...revisedStore<Placed<Terms>>({ name, terms: columns, order: sql`position, id` }),

    /** In the order in which they are shown. */
    idsOf: async (tx: PlatformScope, productId: string): Promise<string[]> =>
      (
        await many(
          tx,
          sql<{ id: string }>`select id from ${table} where product_id = ${productId} order by position, id`,
        )
      ).map(({ id }) => id),

    async removeAll(tx: PlatformScope, productId: string) {
      await run(tx, sql`delete from ${table} where product_id = ${productId}`)
    },

    /** Numbers the product's records from 0 in the order of the ids. Who moves says something else: a new revision. */
    async setOrder(tx: PlatformScope, productId: string, ids: string[]) {
      await run(
        tx,
        sql`update ${table} set position = place.number - 1, revision = revision + 1
          from unnest(${ids}::uuid[]) with ordinality as place(id, number)
          where product_id = ${productId} and ${table}.id = place.id and position <> place.number - 1`,
      )
    },
  }
}

export type RecordStore<Terms> = ReturnType<typeof recordStore<Terms>>
