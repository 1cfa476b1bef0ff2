import { Refusal } from '../kernel/refusal.ts'
import type { Scope } from '../storage/scope.ts'

/** Returns the slugs that no product in the catalog has. */
export type FindUnknownProducts = (scope: Scope, slugs: string[]) => Promise<string[]>

/** Refuses UNKNOWN_PRODUCT for the member `products` of a body, naming all of them. */
export async function refuseUnknownProducts(tx: Scope, slugs: string[], find: FindUnknownProducts): Promise<void> {
  if (slugs.length === 0) return
  const unknown = await find(tx, slugs)
  if (unknown.length === 0) return
  const faults = slugs.flatMap((slug, index) =>
    unknown.includes(slug)
      ? [{ path: `/body/products/${index}`, code: 'unknown', message: `is not in the catalog: ${slug}` }]
      : [],
  )
  throw new Refusal('UNKNOWN_PRODUCT', {
    detail: `The catalog does not contain: ${unknown.join(', ')}.`,
    errors: faults,
  })
}
