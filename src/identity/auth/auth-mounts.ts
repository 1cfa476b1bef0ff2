import { type Access, endUser, tenantKey } from '../../http/access/access.ts'
import { type Mount, moveLocation } from '../../http/mounts.ts'
import { productSlugs } from '../../kernel/products.ts'

export const tag = 'Users'

/** The base path of users. The routes of the VPN product are aliases. */
export const base = '/v1/auth'
const vpnBase = '/vault/v1/auth'

/** The same operations below the base path of the VPN product. They require an API key that lists it. */
export const vpnMount: Mount = {
  isAlias: true,
  path: (path) => vpnBase + path.slice(base.length),
  // login -> vaultLogin
  operationName: (name) => `vault${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  access: ({ access }) => vpnAccess(access),
  adaptAnswer: (answer) => moveLocation(answer, base, vpnBase),
}

function vpnAccess({ kind }: Access): Access {
  return kind === 'endUser' ? endUser(productSlugs.vpn) : tenantKey(productSlugs.vpn)
}
