import { endUserOptionalKey, tenantAdmin } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

export const botAccess = endUserOptionalKey(productSlugs.assistant)
export const botAdminAccess = tenantAdmin(productSlugs.assistant)
export const tag = 'Bots'
export const botBase = '/assistant/v1/bot'
