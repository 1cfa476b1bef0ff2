import { endUserOptionalKey } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

/** Routes of tasks need a user's token. An API key sent with it must list the product. */
export const taskAccess = endUserOptionalKey(productSlugs.assistant)

export const tag = 'Tasks'
/** The tasks of one organization. */
export const base = '/assistant/v1/orgs/:orgId/tasks'
