import { tenantAdmin } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

export const tag = 'Inbound webhooks'
export const base = '/assistant/v1/webhooks'

export const access = tenantAdmin(productSlugs.assistant)
