import { productSlugs } from '../../kernel/products.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Milestones } from './product-status.rules.ts'
import type { ProductStatus, ProductType } from './product-vocabulary.rules.ts'

export type ProductLinks = Record<'website' | 'repo' | 'support' | 'changelog', string | null>
export type ProductSeo = { title: string | null; description: string | null; imageId: string | null; noindex: boolean }

/** What an administrator decides of a product, and what follows from that at once. */
export type ProductFields = Milestones & {
  slug: string
  name: string
  tagline: string
  /** Markdown. */
  description: string
  /** Null only between a migration and the start after it. */
  descriptionHtml: string | null
  type: ProductType
  typeLabel: string | null
  status: ProductStatus
  statusLabel: string | null
  isFeatured: boolean
  sortOrder: number
  apiPrefix: string | null
  iconMediaId: string | null
  coverMediaId: string | null
  tags: string[]
  links: ProductLinks
  seo: ProductSeo
  sunsetAt: Date | null
  replacedById: string | null
}

export type Product = ProductFields & {
  id: string
  revision: number
  /** The slug of the replacement. */
  replacedBy: string | null
  /** The same, unless the replacement is a draft. */
  publicReplacedBy: string | null
  createdAt: Date
  updatedAt: Date
}

export const noLinks: ProductLinks = { website: null, repo: null, support: null, changelog: null }
export const noSeo: ProductSeo = { title: null, description: null, imageId: null, noindex: false }

/** Products stand before those that say nothing of their place. */
export const sortOrderDefault = 100

/** The products whose routes are part of the program: their slug is written into it. Refuses STATE_CONFLICT. */
export function refuseBuiltIn({ slug }: { slug: string }, what: string): void {
  if (!(Object.values(productSlugs) as string[]).includes(slug)) return
  throw new Refusal('STATE_CONFLICT', {
    detail: `${slug} is a product of this program: API keys and licenses name it, so it cannot be ${what}. A DRAFT is not shown.`,
  })
}

/** Where a product has been seen, the slug may stand in what others hold. */
export function hasBeenPublic(product: Milestones & { status: ProductStatus }): boolean {
  const { status, announcedAt, betaAt, launchedAt, deprecatedAt } = product
  return status !== 'DRAFT' || [announcedAt, betaAt, launchedAt, deprecatedAt].some((at) => at !== null)
}
