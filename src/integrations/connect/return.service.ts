import type { Audit } from '../../identity/index.ts'
import { type FieldError, invalidField, refuseFields } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { readOrigins, saveOrigins } from './return.store.ts'
import { isListableOrigin, isReturnAddress } from './return-address.rules.ts'

export type ReturnService = ReturnType<typeof returnService>

export type ReturnDeps = {
  audit: Audit
  /** The host of the tenant's own site, if it has one. */
  findCustomDomain(scope: TenantScope): Promise<string | null>
}

/** The origins that a browser may be sent back to. */
export function returnService({ audit, findCustomDomain }: ReturnDeps) {
  /** Refuses VALIDATION_ERROR. */
  async function set(scope: TenantScope, origins: string[]): Promise<string[]> {
    refuseFields(unlistable(origins))
    const unique = [...new Set(origins)].sort()
    await transaction(scope, async (tx) => {
      await saveOrigins(tx, unique)
      await audit(tx, {
        action: 'integration.returns.set',
        target: { type: 'tenant', id: tx.tenantId },
        changes: { origins: unique },
      })
    })
    return unique
  }

  /** Refuses VALIDATION_ERROR for an address that is at none of the tenant's origins. */
  async function require(scope: TenantScope, returnTo: string): Promise<void> {
    const domain = await findCustomDomain(scope)
    const origins = [...(domain === null ? [] : [`https://${domain}`]), ...(await readOrigins(scope))]
    if (isReturnAddress(returnTo, origins)) return
    throw invalidField('/body/returnTo', {
      code: 'origin',
      message: 'must be at the domain of the tenant, or at an origin that an administrator has listed',
    })
  }

  return { set, require, read: readOrigins }
}

export function unlistable(origins: readonly string[]): FieldError[] {
  return origins.flatMap((origin, i) =>
    isListableOrigin(origin)
      ? []
      : [
          {
            path: `/body/origins/${i}`,
            code: 'origin',
            message: 'must be an origin such as https://app.example.com, or http://localhost with any port',
          },
        ],
  )
}
