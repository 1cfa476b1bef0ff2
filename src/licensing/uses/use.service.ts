import { systemCaller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { grantedUses, type License, type Plan, whyNotUsable } from '../licenses/license.rules.ts'
import { licenseStates } from '../licenses/license.store.ts'
import type { IssueLicense } from '../licenses/license-issuing.ts'
import { parseLicenseKey } from '../licenses/license-key.rules.ts'
import { consumeUse, refundUse, retakeUse } from './use.store.ts'

export type LicenseInUse = { licenseId: string; keyHint: string; plan: Plan; expiresAt: Date | null }

/** How products take and refund uses, inside the transaction that needs the use. */
export type Licenses = {
  /**
   * Takes one use of the license with the key, or otherwise of the tenant's best license for the product: unlimited first,
   * then most uses left, then oldest. A tenant that never had a license for the product gets an automatic TRIAL.
   * `operationId` must be new: each call takes a use. Refuses LICENSE_REQUIRED, LICENSE_EXHAUSTED, LICENSE_EXPIRED or
   * LICENSE_REVOKED.
   */
  consumeFor(
    tx: TenantScope,
    request: { product: string; licenseKey: string | null; operationId: string; source: 'SESSION' },
  ): Promise<LicenseInUse>
  /** Refunds the use of an operation. True only the first time. */
  refund(tx: TenantScope, use: { licenseId: string; operationId: string }): Promise<boolean>
  /** Takes a refunded use again, if the license has one left: it turned out to have been used. True only the first time. */
  retake(tx: TenantScope, use: { licenseId: string; operationId: string }): Promise<boolean>
}

/** A license may become usable between two statements. More than this many times in one request is not plausible. */
const attemptsMax = 5

export function useService({ clock, issue }: { clock: Clock; issue: IssueLicense }): Licenses {
  const issueTrial = (tx: TenantScope, product: string, now: Date): Promise<License | null> =>
    issue(
      { ...tx, caller: systemCaller },
      {
        product,
        plan: 'TRIAL',
        maxUses: grantedUses('TRIAL', null),
        expiresAt: null,
        label: 'Automatic trial',
        isAutomatic: true,
        now,
      },
    )

  const consumeFor: Licenses['consumeFor'] = (scope, { product, licenseKey, operationId, source }) =>
    transaction(scope, async (tx) => {
      const now = clock.now()
      const keyHash = licenseKey === null ? null : requireKeyHash(licenseKey)
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const license = await consumeUse(tx, { product, keyHash }, { operationId, source, now })
        if (license !== null) return licenseInUse(license)
        const reason = whyNotUsable(await licenseStates(tx, product, keyHash), now)
        if (reason === 'LICENSE_REQUIRED' && keyHash === null) await issueTrial(tx, product, now)
        else if (reason !== null) throw new Refusal(reason)
      }
      throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
    })

  const refund: Licenses['refund'] = (tx, { licenseId, operationId }) =>
    refundUse(tx, { licenseId, operationId, now: clock.now() })

  const retake: Licenses['retake'] = (tx, { licenseId, operationId }) =>
    retakeUse(tx, { licenseId, operationId, now: clock.now() })

  return { consumeFor, refund, retake }
}

/** Refuses LICENSE_REQUIRED for a malformed key, as for an unknown one. */
function requireKeyHash(licenseKey: string): Buffer {
  const read = parseLicenseKey(licenseKey)
  if (read === null) throw new Refusal('LICENSE_REQUIRED')
  return read.hash
}

function licenseInUse({ id, keyHint, plan, expiresAt }: License): LicenseInUse {
  return { licenseId: id, keyHint, plan, expiresAt }
}
