import type { Clock } from '../../kernel/clock.ts'
import { productSlugs } from '../../kernel/products.ts'
import { invalidField } from '../../kernel/refusal.ts'
import type { LastUsedBuffer } from '../../storage/last-used-buffer.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Judged, judge, usesRemainingOf, type Verdict } from '../licenses/license.rules.ts'
import { lookUpLicense } from '../licenses/license.store.ts'
import { readLicenseKey } from '../licenses/license-key.rules.ts'
import type { Taken, TakeUse } from '../uses/use-batch.ts'
import type { Question } from './validation.schema.ts'

export type ValidationService = ReturnType<typeof validationService>

type Parts = { clock: Clock; validated: LastUsedBuffer; takeUse: TakeUse }
type Asked = { now: Date; product: string | null; keyProducts: string[] }
/** What never changes of a license, so that it need not be read again to take a use. */
type Fixed = Pick<Judged, 'id' | 'product'>

/** About 300 bytes each. */
const fixedMax = 20_000

/** Tells whether a license key may be used, and takes a use where the question says so. */
export function validationService({ clock, validated, takeUse }: Parts) {
  const fixed = new Map<string, Fixed>()
  const remember = (place: string, { id, product }: Judged): void => {
    if (fixed.size >= fixedMax) fixed.clear()
    fixed.set(place, { id, product })
  }

  const take = async (scope: TenantScope, license: Fixed, asked: Asked): Promise<Verdict> =>
    verdictOn(license, await takeUse(scope, license.id), asked)

  const consume = async (scope: TenantScope, keyHash: Buffer, asked: Asked): Promise<Verdict> => {
    const place = `${scope.tenantId} ${keyHash.toString('latin1')}`
    const known = fixed.get(place)
    if (known !== undefined && isForTaking(known, asked)) return take(scope, known, asked)
    const license = await lookUpLicense(scope, keyHash)
    const verdict = judge(license, asked)
    if (license === null || !verdict.valid) return verdict
    refuseOfConnect(license.product)
    remember(place, license)
    return take(scope, license, asked)
  }

  return async (scope: TenantScope, keyProducts: string[], question: Question): Promise<Verdict> => {
    const text = keyTextOf(question)
    const product = question.product ?? null
    const isTaking = question.consume === true
    if (isTaking) refuseOfConnect(product)
    const now = clock.now()
    const keyHash = readLicenseKey(text)?.hash ?? null
    const asked = { now, product, keyProducts }
    if (keyHash === null) return judge(null, asked)
    const verdict = isTaking ? await consume(scope, keyHash, asked) : judge(await lookUpLicense(scope, keyHash), asked)
    if (verdict.code !== 'NOT_FOUND') validated.mark(keyHash.toString('hex'), now)
    return verdict
  }
}

/** Whether nothing but what changes with time stands against taking a use. */
function isForTaking({ product }: Fixed, asked: Asked): boolean {
  const isAsked = asked.product === null || asked.product === product
  return isAsked && asked.keyProducts.includes(product) && product !== productSlugs.vpn
}

function verdictOn(fixed: Fixed, taken: Taken, asked: Asked): Verdict {
  if (taken === null) return judge(null, asked)
  const { isGranted, license } = taken
  if (isGranted) {
    const { plan, expiresAt } = license
    return { valid: true, code: 'VALID', plan, usesRemaining: usesRemainingOf(license), expiresAt }
  }
  const verdict = judge({ ...fixed, ...license }, asked)
  // It was usable again when it was read, yet its use went to another.
  return verdict.valid ? { ...verdict, valid: false, code: 'USES_EXHAUSTED', usesRemaining: 0 } : verdict
}

function keyTextOf({ licenseKey, key }: Question): string {
  const text = licenseKey ?? key
  if (text === undefined)
    throw invalidField('/body/licenseKey', { code: 'required', message: 'is required (or as `key`)' })
  if (key !== undefined && key !== text) {
    throw invalidField('/body/key', { code: 'conflict', message: 'is not the same as `licenseKey`; send one of them' })
  }
  return text
}

/** One session must take one use: a use taken here as well would be a second one. */
function refuseOfConnect(product: string | null): void {
  if (product !== productSlugs.vpn) return
  throw invalidField('/body/consume', {
    code: 'product',
    message: `is not for ${product}, whose connect takes the use`,
  })
}
