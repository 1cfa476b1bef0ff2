export type FeatureFields = {
  slug: string
  title: string
  description: string
  icon: string | null
  group: string | null
  isHighlighted: boolean
  /** Maps the code of a plan to whether it has the feature, or to how much of it. */
  availability: Record<string, boolean | string>
}

export const featureDefaults = { description: '', icon: null, group: null, isHighlighted: false, availability: {} }

/** A slug of at most 64 characters. From the second attempt on, it ends in the attempt's number. */
export function slugFromTitle(title: string, attempt: number): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|(?<!-)-+$/g, '')
  const name = slug.length >= 2 ? slug : 'feature'
  return attempt === 1 ? name : `${name}-${attempt}`
}
