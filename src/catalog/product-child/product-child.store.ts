import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { assignments, type Columns, columnNames, selectList, valueList } from '../columns.store.ts'
import type { Ordered, ProductChild, ProductChildKey } from './product-child.rules.ts'

/** A table of children of products: columns of its own beside those that all such tables have. */
type ChildTable<Fields> = { name: string; columns: Columns<Fields>; orderBy: Sql }

/** All columns of a child, named as its members. */
export function childColumns<Fields>(columns: Columns<Fields>): Sql {
  return sql`id, product_id as "productId", revision, created_at as "createdAt", updated_at as "updatedAt", ${selectList(columns)}`
}

export function productChildStore<Fields>({ name, columns, orderBy }: ChildTable<Fields>) {
  type Child = ProductChild<Fields>
  const table = sql.raw(name)
  const selected = childColumns(columns)
  return {
    find: (scope: PlatformScope, { productId, id }: ProductChildKey): Promise<Child | null> =>
      maybeOne(scope, sql<Child>`select ${selected} from ${table} where product_id = ${productId} and id = ${id}`),

    list: (scope: PlatformScope, productId: string, page: PageRequest): Promise<Page<Child>> =>
      listPage<Child>(scope, page, {
        columns: selected,
        from: sql`from ${table} where product_id = ${productId}`,
        orderBy,
      }),

    /** All children of the products, in the order of `list`. */
    listByProducts: (scope: PlatformScope, productIds: string[]): Promise<Child[]> =>
      many(
        scope,
        sql<Child>`select ${selected} from ${table} where product_id = any(${productIds}::uuid[]) order by ${orderBy}`,
      ),

    /** Whether another child of the product has the value in this field. */
    isTaken: async (
      tx: PlatformScope,
      { productId, id }: ProductChildKey,
      [field, value]: [keyof Fields & string, string],
    ): Promise<boolean> =>
      (await maybeOne(
        tx,
        sql`select 1 from ${table} where product_id = ${productId} and id <> ${id} and ${sql.raw(columns[field][0])} = ${value}`,
      )) !== null,

    async add(tx: PlatformScope, child: Child): Promise<void> {
      const { id, productId, revision, createdAt, updatedAt } = child
      await run(
        tx,
        sql`insert into ${table} (id, product_id, revision, created_at, updated_at, ${columnNames(columns)})
          values (${id}, ${productId}, ${revision}, ${createdAt}, ${updatedAt}, ${valueList<Fields>(columns, child)})`,
      )
    },

    async save(tx: PlatformScope, child: Child): Promise<void> {
      const { id, revision, updatedAt } = child
      await run(
        tx,
        sql`update ${table} set ${assignments<Fields>(columns, child)}, revision = ${revision}, updated_at = ${updatedAt}
          where id = ${id}`,
      )
    },

    async remove(tx: PlatformScope, id: string): Promise<void> {
      await run(tx, sql`delete from ${table} where id = ${id}`)
    },
  }
}

export type ProductChildStore<Fields> = ReturnType<typeof productChildStore<Fields>>

/** For children whose `order` is their position among their siblings, from 0 without gaps. */
export function orderedChildStore<Fields>({ name, columns }: Omit<ChildTable<Fields>, 'orderBy'>) {
  const table = sql.raw(name)
  const withOrder = { ...columns, order: ['position', 'integer'] } as Columns<Ordered<Fields>>
  return {
    ...productChildStore<Ordered<Fields>>({ name, columns: withOrder, orderBy: sql`position, id` }),

    /** In display order. */
    async listIds(tx: PlatformScope, productId: string): Promise<string[]> {
      const children = await many(
        tx,
        sql<{ id: string }>`select id from ${table} where product_id = ${productId} order by position, id`,
      )
      return children.map(({ id }) => id)
    },

    async removeAll(tx: PlatformScope, productId: string): Promise<void> {
      await run(tx, sql`delete from ${table} where product_id = ${productId}`)
    },

    /** Numbers the product's children from 0 in the order of the ids. A child that moves gets a new revision. */
    async setOrder(tx: PlatformScope, productId: string, ids: string[]): Promise<void> {
      await run(
        tx,
        sql`update ${table} set position = place.number - 1, revision = revision + 1
          from unnest(${ids}::uuid[]) with ordinality as place(id, number)
          where product_id = ${productId} and ${table}.id = place.id and position <> place.number - 1`,
      )
    },
  }
}

export type OrderedChildStore<Fields> = ReturnType<typeof orderedChildStore<Fields>>

/** The part of an ordered store that numbers its children. */
export type Positions = Pick<OrderedChildStore<object>, 'listIds' | 'setOrder'>
