import { tenantAdmin } from '../http/access/access.ts'
import { productSlugs } from '../kernel/products.ts'

export const tag = 'Usage'
export const base = '/assistant/v1/usage'

/** Limits and thresholds of a tenant. No API key is enough: apps carry one to everybody who installs them. */
export const access = tenantAdmin(productSlugs.assistant)
