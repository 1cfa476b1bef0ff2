import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ParentProduct } from './parent-product.store.ts'

/** Public views of children, by the id of their product, in display order. */
export type ListByProduct<View> = (platform: PlatformScope, productIds: string[]) => Promise<Map<string, View[]>>

/** The public product with the slug, or the slug that it has now if it was renamed; null for a draft too. */
export type ResolveSlug = (platform: PlatformScope, slug: string) => Promise<ParentProduct | { movedTo: string } | null>

type Redirect = { status: 301; body: null; headers: { location: string } }

/**
 * Answers a request for a public product's slug. Refuses NOT_FOUND, and redirects a former slug to `path` with the
 * current one.
 */
export function publicProductLookup(resolveSlug: ResolveSlug) {
  return async <A>(
    { platform, slug, path }: { platform: PlatformScope; slug: string; path: (slug: string) => string },
    answer: (product: ParentProduct) => Promise<A>,
  ): Promise<A | Redirect> => {
    const found = await resolveSlug(platform, slug)
    if (found === null) throw notFound()
    if ('movedTo' in found) return { status: 301, body: null, headers: { location: path(found.movedTo) } }
    return answer(found)
  }
}

export type WithPublicProduct = ReturnType<typeof publicProductLookup>
