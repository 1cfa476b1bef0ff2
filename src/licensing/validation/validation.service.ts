import type { Clock } from '../../kernel/clock.ts'
import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
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

type ValidationDeps = { clock: Clock; validated: LastUsedBuffer; consumeUse: ConsumeUse }
type ValidationContext = { now: Date; product: string | null; keyProducts: string[] }
/** What never changes of a license. It is cached, so that taking a use needs no other query. */
type FixedTerms = Pick<CheckedLicense, 'id' | 'product'>

/** About 300 bytes each. */
const cacheMax = 20_000

/** Checks whether a license key can be used, and takes a use if the request says so. */
export function validationService({ clock, validated, consumeUse }: ValidationDeps) {
  const cache = new Map<string, FixedTerms>()
  const remember = (cacheKey: string, { id, product }: CheckedLicense): void => {
    if (cache.size >= cacheMax) cache.clear()
    cache.set(cacheKey, { id, product })
  }

  const take = async (scope: TenantScope, license: FixedTerms, context: ValidationContext): Promise<Verdict> =>
    useVerdict(license, await consumeUse(scope, license.id), context)

  const consume = async (scope: TenantScope, keyHash: Buffer, context: ValidationContext): Promise<Verdict> => {
    const cacheKey = `${scope.tenantId} ${keyHash.toString('latin1')}`
    const known = cache.get(cacheKey)
    if (known !== undefined && isConsumable(known, context)) return take(scope, known, context)
    const license = await findCheckedLicense(scope, keyHash)
    const verdict = checkLicense(license, context)
    if (license === null || !verdict.valid) return verdict
    refuseVpnProduct(license.product)
    remember(cacheKey, license)
    return take(scope, license, context)
  }

  return async (scope: TenantScope, keyProducts: string[], request: ValidationRequest): Promise<Verdict> => {
    const text = requestedKey(request)
    const product = request.product ?? null
    const isConsuming = request.consume === true
    if (isConsuming) refuseVpnProduct(product)
    const now = clock.now()
    const keyHash = parseLicenseKey(text)?.hash ?? null
    const context = { now, product, keyProducts }
    if (keyHash === null) return checkLicense(null, context)
    const verdict = isConsuming
      ? await consume(scope, keyHash, context)
      : checkLicense(await findCheckedLicense(scope, keyHash), context)
    if (verdict.code !== 'NOT_FOUND') validated.mark(keyHash.toString('hex'), now)
    return verdict
  }
}

/** Whether the request may take a use, as far as the unchanging terms decide it. */
function isConsumable({ product }: FixedTerms, context: ValidationContext): boolean {
  const isRequestedProduct = context.product === null || context.product === product
  return isRequestedProduct && context.keyProducts.includes(product) && product !== productSlugs.vpn
}

function useVerdict(fixed: FixedTerms, taken: UseResult, context: ValidationContext): Verdict {
  if (taken === null) return checkLicense(null, context)
  const { isGranted, license } = taken
  if (isGranted) {
    const { plan, expiresAt } = license
    return { valid: true, code: 'VALID', plan, usesRemaining: remainingUses(license), expiresAt }
  }
  const verdict = checkLicense({ ...fixed, ...license }, context)
  // The license was usable again when it was read, but another caller got the use.
  return verdict.valid ? { ...verdict, valid: false, code: 'USES_EXHAUSTED', usesRemaining: 0 } : verdict
}

export function validationRules(body: Fitting<ValidationRequest>): FieldRule[] {
  const { licenseKey, key, product, consume } = body
  const isMissing = !('licenseKey' in body || 'key' in body)
  return [
    () =>
      isMissing || (licenseKey !== undefined && key !== undefined) ? requestedKey({ licenseKey, key }) : undefined,
    () => (consume === true ? refuseVpnProduct(product ?? null) : undefined),
  ]
}

type SentKeys = { licenseKey?: string | undefined; key?: string | undefined }

function requestedKey({ licenseKey, key }: SentKeys): string {
  const text = licenseKey ?? key
  if (text === undefined)
    throw invalidField('/body/licenseKey', { code: 'required', message: 'is required (or `key`)' })
  if (key !== undefined && key !== text) {
    throw invalidField('/body/key', { code: 'conflict', message: 'differs from `licenseKey`; send only one of them' })
  }
  return text
}

/** A VPN session takes its own use, so a use taken here would be a second one. */
function refuseVpnProduct(product: string | null): void {
  if (product !== productSlugs.vpn) return
  throw invalidField('/body/consume', {
    code: 'product',
    message: `cannot be used for ${product}, which takes the use when a session connects`,
  })
}
