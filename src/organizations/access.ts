import { endUserOptionalKey } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

/** Routes of organizations need a user's token. An API key sent with it must list the product. */
export const orgAccess = endUserOptionalKey(productSlugs.assistant)

export const tag = 'Organizations'
export const base = '/assistant/v1/orgs'
