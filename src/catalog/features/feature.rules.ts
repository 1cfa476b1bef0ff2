/** What a feature of a product says. */
export type FeatureFields = {
  slug: string
  title: string
  description: string
  icon: string | null
  group: string | null
  isHighlighted: boolean
  /** By the code of a plan: whether it has the feature, or how much of it. */
  availability: Record<string, boolean | string>
}

export const featureDefaults = { description: '', icon: null, group: null, isHighlighted: false, availability: {} }

/** A slug for a title, of at most 64 characters; from the second attempt on with its number. */
export function slugFromTitle(title: string, attempt: number): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  const name = slug.length >= 2 ? slug : 'feature'
  return attempt === 1 ? name : `${name}-${attempt}`
}
