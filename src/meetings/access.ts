import { endUserOptionalKey } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

/** Everything of the assistant is asked for with a user's token; an API key beside it must list the product. */
export const meetingAccess = endUserOptionalKey(productSlugs.assistant)

export const tag = 'Meetings'
