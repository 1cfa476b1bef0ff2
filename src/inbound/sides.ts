import { tenantAdmin } from '../http/access/access.ts'
import { tenantSides } from '../http/access/mounts.ts'
import { productSlugs } from '../kernel/products.ts'

export const tag = 'Inbound webhooks'

export const sides = tenantSides('/assistant/v1/webhooks', tenantAdmin(productSlugs.assistant))
