import { endUserOptionalKey } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

/** Routes of the knowledge base need a user's token. An API key sent with it must list the product. */
export const knowledgeAccess = endUserOptionalKey(productSlugs.assistant)

export const searchTag = 'Search and ask'

export const orgBase = '/assistant/v1/orgs/:orgId'
