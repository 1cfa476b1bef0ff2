import type { Audit } from '../../identity/index.ts'
import { type FieldError, invalidField, refuseFields } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { findCustomDomain, readOrigins, saveOrigins } from './return.store.ts'
import { isListableOrigin, isReturnAddress } from './return-address.rules.ts'

export type ReturnService = ReturnType<typeof returnService>

/** The origins that a browser may be sent back to. */
export function returnService({ audit }: { audit: Audit }) {
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
