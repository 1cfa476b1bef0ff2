import { productSlugs } from '../../kernel/products.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Milestones } from './product-status.rules.ts'
import type { ProductStatus, ProductType } from './product-vocabulary.rules.ts'

export type ProductLinks = Record<'website' | 'repo' | 'support' | 'changelog', string | null>
export type ProductSeo = { title: string | null; description: string | null; imageId: string | null; noindex: boolean }

/** What an administrator sets on a product, and what follows from it. */
export type ProductFields = Milestones & {
  slug: string
  name: string
  tagline: string
  /** Markdown. */
  description: string
  /** Null only between a migration and the next start. */
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
  /** The slug of the product that replaces this one. */
  replacedBy: string | null
  /** The same, unless the replacement is a draft. */
  publicReplacedBy: string | null
  createdAt: Date
  updatedAt: Date
}

export const noLinks: ProductLinks = { website: null, repo: null, support: null, changelog: null }
export const noSeo: ProductSeo = { title: null, description: null, imageId: null, noindex: false }

export const sortOrderDefault = 100

/** Refuses STATE_CONFLICT for a built-in product, whose slug the code of its routes contains. */
export function refuseBuiltIn({ slug }: { slug: string }, what: string): void {
  if (!(Object.values(productSlugs) as string[]).includes(slug)) return
  throw new Refusal('STATE_CONFLICT', {
    detail: `${slug} is a built-in product that API keys and licenses name, so it cannot be ${what}. Set its status to DRAFT to hide it.`,
  })
}

/** Others may hold the slug of a product that has been public. */
export function hasBeenPublic(product: Milestones & { status: ProductStatus }): boolean {
  const { status, announcedAt, betaAt, launchedAt, deprecatedAt } = product
  return status !== 'DRAFT' || [announcedAt, betaAt, launchedAt, deprecatedAt].some((at) => at !== null)
}
