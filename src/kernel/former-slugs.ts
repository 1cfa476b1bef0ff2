import type { BundleMode } from './bundle.ts'
import { invalidField } from './refusal.ts'

type Claim = { slug: string; place: string; formerSlugs: string[] | undefined }
type Known = {
  /** By the slug of what they lead to, sorted. */
  before: ReadonlyMap<string, readonly string[]>
  /** The slugs that something has when the import is done: they lead nowhere else. */
  held: ReadonlySet<string>
  mode: BundleMode
}

/**
 * The slugs that are to lead to each record of a bundle. Not one that something has, which is no fault: it may be a
 * record that only this installation has. Refuses VALIDATION_ERROR for one that two records want.
 */
export function resolveFormerSlugs(claims: Claim[], { before, held, mode }: Known): Map<string, string[]> {
  const claimants = new Map<string, string>()
  for (const { slug, place, formerSlugs = [] } of claims) {
    for (const [index, former] of formerSlugs.entries()) {
      const other = claimants.get(former)
      if (other !== undefined && other !== slug)
        throw invalidField(`${place}/formerSlugs/${index}`, { code: 'duplicate', message: `is one of ${other}, too` })
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
