import { maybeOne, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

export type ParentProduct = { id: string; slug: string; status: string }

/**
 * For every change of a record of a product (a plan, a doc, ...): counts the product's revision, and locks the product
 * until the end of the transaction. Null: there is no such product.
 */
export function touchProduct(tx: PlatformScope, productId: string, now: Date): Promise<ParentProduct | null> {
  return maybeOne(
    tx,
    sql<ParentProduct>`update products set revision = revision + 1, updated_at = ${now} where id = ${productId}
      returning id, slug, status`,
  )
}
