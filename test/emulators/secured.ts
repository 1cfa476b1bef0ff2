import type { Call, Handler, Reply } from './call.ts'
import type { World } from './emulator.ts'
import type { Grant } from './oauth/grant.ts'

type Refusals = {
  unauthorized: Reply
  /** Without it scopes are not checked. */
  forbidden?: (missing: string) => Reply
}

type SecuredHandler = (call: Call, grant: Grant) => Reply | Promise<Reply>

/** Routes of an API: they need an access token, and one of `scopes`. Refusals have the provider's form. */
export function secured(world: World, { unauthorized, forbidden }: Refusals) {
  return (scopes: readonly string[], handle: SecuredHandler): Handler =>
    (call) => {
      const grant = world.grantOf(call)
      if (grant === null) return unauthorized
      const isAllowed = scopes.length === 0 || scopes.some((scope) => grant.scopes.includes(scope))
      if (!isAllowed && forbidden !== undefined) return forbidden(scopes[0] ?? '')
      return handle(call, grant)
    }
}
