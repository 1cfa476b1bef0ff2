import type { BundleMode } from './bundle.ts'
import { invalidField } from './refusal.ts'

type Claim = { slug: string; place: string; formerSlugs: string[] | undefined }
type Known = {
  /** By the slug of their target, sorted. */
  before: ReadonlyMap<string, readonly string[]>
  /** The slugs in use after the import: they redirect nowhere. */
  held: ReadonlySet<string>
  mode: BundleMode
}

/**
 * The former slugs that redirect to each record of a bundle. A slug that is in use is skipped without an error: a record that
 * only this installation has may use it. Refuses VALIDATION_ERROR for a slug that two records claim.
 */
export function resolveFormerSlugs(claims: Claim[], { before, held, mode }: Known): Map<string, string[]> {
  const claimants = new Map<string, string>()
  for (const { slug, place, formerSlugs = [] } of claims) {
    for (const [index, former] of formerSlugs.entries()) {
      const other = claimants.get(former)
      if (other !== undefined && other !== slug)
        throw invalidField(`${place}/formerSlugs/${index}`, {
          code: 'duplicate',
          message: `is also a former slug of ${other}`,
        })
      claimants.set(former, slug)
    }
  }
  return new Map(
    claims.map(({ slug, formerSlugs }) => {
      const own = before.get(slug) ?? []
      const wanted = mode === 'merge' ? [...own, ...(formerSlugs ?? [])] : (formerSlugs ?? own)
      const isFree = (former: string) => !held.has(former) && (claimants.get(former) ?? slug) === slug
      return [slug, [...new Set(wanted)].filter(isFree).sort()]
    }),
  )
}
