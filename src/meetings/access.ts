import { endUserOptionalKey } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

/** Routes of meetings need a user's token. An API key sent with it must list the product. */
export const meetingAccess = endUserOptionalKey(productSlugs.assistant)

export const tag = 'Meetings'
