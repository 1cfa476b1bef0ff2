import { tenantAdmin } from '../http/access/access.ts'

export const tag = 'Webhooks'
export const base = '/v1/webhooks'

/**
 * No API key is enough: apps carry one to everybody who installs them. With it a stranger could have all events of the
 * tenant sent to himself, or read the secret that the tenant's receiver trusts.
 */
export const access = tenantAdmin()
