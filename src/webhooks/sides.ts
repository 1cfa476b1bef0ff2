import { tenantAdmin } from '../http/access/access.ts'
import { tenantSides } from '../http/access/mounts.ts'

export const tag = 'Webhooks'
export const ownBase = '/v1/webhooks'

/**
 * Not whoever has an API key: apps carry one to everybody who installs them, and here it would have all that happens to
 * the tenant sent to a stranger, or give away the secret that its own receiver believes.
 */
export const ownAccess = tenantAdmin()

export const sides = tenantSides(ownBase, ownAccess)
