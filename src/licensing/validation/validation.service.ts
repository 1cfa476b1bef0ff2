import type { Clock } from '../../kernel/clock.ts'
import { productSlugs } from '../../kernel/products.ts'
import { invalidField } from '../../kernel/refusal.ts'
import type { LastUsedBuffer } from '../../storage/last-used-buffer.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type CheckedLicense, checkLicense, remainingUses, type Verdict } from '../licenses/license.rules.ts'
import { findCheckedLicense } from '../licenses/license.store.ts'
import { parseLicenseKey } from '../licenses/license-key.rules.ts'
import type { ConsumeUse, UseResult } from '../uses/use-batch.ts'
import type { ValidationRequest } from './validation.schema.ts'

export type ValidationService = ReturnType<typeof validationService>

type ValidationDeps = { clock: Clock; validated: LastUsedBuffer; takeUse: ConsumeUse }
type ValidationContext = { now: Date; product: string | null; keyProducts: string[] }
/** What never changes of a license, so that it need not be read again to take a use. */
type FixedTerms = Pick<CheckedLicense, 'id' | 'product'>

/** About 300 bytes each. */
const fixedMax = 20_000

/** Tells whether a license key may be used, and takes a use where the question says so. */
export function validationService({ clock, validated, takeUse }: ValidationDeps) {
  const fixed = new Map<string, FixedTerms>()
  const remember = (place: string, { id, product }: CheckedLicense): void => {
    if (fixed.size >= fixedMax) fixed.clear()
    fixed.set(place, { id, product })
  }

  const take = async (scope: TenantScope, license: FixedTerms, asked: ValidationContext): Promise<Verdict> =>
    useVerdict(license, await takeUse(scope, license.id), asked)

  const consume = async (scope: TenantScope, keyHash: Buffer, asked: ValidationContext): Promise<Verdict> => {
    const place = `${scope.tenantId} ${keyHash.toString('latin1')}`
    const known = fixed.get(place)
    if (known !== undefined && isConsumable(known, asked)) return take(scope, known, asked)
    const license = await findCheckedLicense(scope, keyHash)
    const verdict = checkLicense(license, asked)
    if (license === null || !verdict.valid) return verdict
    refuseVpnProduct(license.product)
    remember(place, license)
    return take(scope, license, asked)
  }

  return async (scope: TenantScope, keyProducts: string[], question: ValidationRequest): Promise<Verdict> => {
    const text = requestedKey(question)
    const product = question.product ?? null
    const isTaking = question.consume === true
    if (isTaking) refuseVpnProduct(product)
    const now = clock.now()
    const keyHash = parseLicenseKey(text)?.hash ?? null
    const asked = { now, product, keyProducts }
    if (keyHash === null) return checkLicense(null, asked)
    const verdict = isTaking
      ? await consume(scope, keyHash, asked)
      : checkLicense(await findCheckedLicense(scope, keyHash), asked)
    if (verdict.code !== 'NOT_FOUND') validated.mark(keyHash.toString('hex'), now)
    return verdict
  }
}

/** Whether nothing but what changes with time stands against taking a use. */
function isConsumable({ product }: FixedTerms, asked: ValidationContext): boolean {
  const isAsked = asked.product === null || asked.product === product
  return isAsked && asked.keyProducts.includes(product) && product !== productSlugs.vpn
}

function useVerdict(fixed: FixedTerms, taken: UseResult, asked: ValidationContext): Verdict {
  if (taken === null) return checkLicense(null, asked)
  const { isGranted, license } = taken
  if (isGranted) {
    const { plan, expiresAt } = license
    return { valid: true, code: 'VALID', plan, usesRemaining: remainingUses(license), expiresAt }
  }
  const verdict = checkLicense({ ...fixed, ...license }, asked)
  // It was usable again when it was read, yet its use went to another.
  return verdict.valid ? { ...verdict, valid: false, code: 'USES_EXHAUSTED', usesRemaining: 0 } : verdict
}

function requestedKey({ licenseKey, key }: ValidationRequest): string {
  const text = licenseKey ?? key
  if (text === undefined)
    throw invalidField('/body/licenseKey', { code: 'required', message: 'is required (or as `key`)' })
  if (key !== undefined && key !== text) {
    throw invalidField('/body/key', { code: 'conflict', message: 'is not the same as `licenseKey`; send one of them' })
  }
  return text
}

/** One session must take one use: a use taken here as well would be a second one. */
function refuseVpnProduct(product: string | null): void {
  if (product !== productSlugs.vpn) return
  throw invalidField('/body/consume', {
    code: 'product',
    message: `is not for ${product}, whose connect takes the use`,
  })
}
