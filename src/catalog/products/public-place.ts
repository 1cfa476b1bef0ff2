import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { PublicParent } from './public-parent.store.ts'

/** The public product of a slug, where it stands now if it was renamed, or null. A draft is none. */
export type ResolveSlug = (platform: PlatformScope, slug: string) => Promise<PublicParent | { movedTo: string } | null>

type Moved = { status: 301; body: null; headers: { location: string } }

/**
 * Answers for the public product of a slug: refuses NOT_FOUND, and sends a slug from before a renaming to `path` of
 * the slug of today.
 */
export function publicPlaces(resolveSlug: ResolveSlug) {
  return async <A>(
    { platform, slug, path }: { platform: PlatformScope; slug: string; path: (slug: string) => string },
    answer: (product: PublicParent) => Promise<A>,
  ): Promise<A | Moved> => {
    const found = await resolveSlug(platform, slug)
    if (found === null) throw notFound()
    if ('movedTo' in found) return { status: 301, body: null, headers: { location: path(found.movedTo) } }
    return answer(found)
  }
}

export type PublicPlaces = ReturnType<typeof publicPlaces>
