import { tenantAdmin } from '../../http/access.ts'
import { tenantSides } from '../../http/tenant-sides.ts'
import { productSlugs } from '../../kernel/products.ts'

export const tag = 'Inbound webhooks'

export const sides = tenantSides('/assistant/v1/webhooks', tenantAdmin(productSlugs.assistant))
