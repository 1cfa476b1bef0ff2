import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { productSlugs } from '../../kernel/products.ts'
import { faulty } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Stamps } from '../../storage/stamps.ts'
import { takeUse } from '../uses/use.store.ts'
import { judge, usesRemainingOf, type Verdict } from './license.rules.ts'
import type { Question } from './license.schema.ts'
import { findLicense } from './license.store.ts'
import { readLicenseKey } from './license-key.rules.ts'

export type ValidationService = ReturnType<typeof validationService>

/** Tells whether a license key may be used, and takes a use where the question says so. */
export function validationService({ clock, validated }: { clock: Clock; validated: Stamps }) {
  return async (scope: TenantScope, keyProducts: string[], question: Question): Promise<Verdict> => {
    const text = keyTextOf(question)
    const product = question.product ?? null
    const isTaking = question.consume === true
    if (isTaking) refuseOfConnect(product)
    const now = clock.now()
    const keyHash = readLicenseKey(text)?.hash ?? null
    const asked = { now, product, keyProducts }
    if (keyHash === null) return judge(null, asked)
    const license = await findLicense(scope, keyHash)
    if (license !== null) validated.mark(keyHash.toString('hex'), now)
    const verdict = judge(license, asked)
    if (!isTaking || license === null || !verdict.valid) return verdict
    refuseOfConnect(license.product)
    const used = await takeUse(
      scope,
      { licenseId: license.id },
      { operationId: `validate:${newId(now)}`, source: 'VALIDATE', now },
    )
    if (used !== null) return { ...verdict, usesRemaining: usesRemainingOf(used) }
    // Lost between the look and the take; a second look tells to what.
    const lost = judge(await findLicense(scope, keyHash), asked)
    return lost.valid ? { ...lost, valid: false, code: 'USES_EXHAUSTED', usesRemaining: 0 } : lost
  }
}

function keyTextOf({ licenseKey, key }: Question): string {
  const text = licenseKey ?? key
  if (text === undefined) throw faulty('/body/licenseKey', { code: 'required', message: 'is required (or as `key`)' })
  if (key !== undefined && key !== text) {
    throw faulty('/body/key', { code: 'conflict', message: 'is not the same as `licenseKey`; send one of them' })
  }
  return text
}

/** One session must take one use: a use taken here as well would be a second one. */
function refuseOfConnect(product: string | null): void {
  if (product !== productSlugs.vpn) return
  throw faulty('/body/consume', { code: 'product', message: `is not for ${product}, whose connect takes the use` })
}
