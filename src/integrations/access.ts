import { endUserOptionalKey } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

/** Routes of integrations need a user's token. An API key sent with it must list the product. */
export const userAccess = endUserOptionalKey(productSlugs.assistant)

export const tag = 'Integrations'
export const base = '/assistant/v1/integrations'
