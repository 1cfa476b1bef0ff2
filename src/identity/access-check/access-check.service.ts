import type { AccessCheck } from '../../kernel/access-check.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, refuseBroken } from '../../kernel/field-rules.ts'
import { isId } from '../../kernel/ids.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { apiKeyFormat } from '../keys/key.rules.ts'
import { type CheckedKey, keyChecks, noUserChecks, userChecks } from './access-check.rules.ts'
import type { AccessQuestion } from './access-check.schema.ts'
import { findAnyKey, findCheckedUser } from './access-check.store.ts'

export type LicenseQuestion = {
  /** Null if none was sent. At most one of the two is. */
  licenseKey: string | null
  licenseId: string | null
  product: string | null
  /** Null if the key is not known. */
  caller: { tenantId: string; keyProducts: string[] } | null
}

/** The checks of a license, in order. Licensing implements them; they take no use and do not update `lastValidatedAt`. */
export type InspectLicense = (platform: PlatformScope, question: LicenseQuestion) => Promise<AccessCheck[]>

export type AccessCheckDeps = { clock: Clock; inspectLicense: InspectLicense }

/** Explains why a caller is accepted or refused: runs all checks of the key, the user and the license, without any effect. */
export function accessCheckService({ clock, inspectLicense }: AccessCheckDeps) {
  return async (platform: PlatformScope, question: AccessQuestion): Promise<AccessCheck[]> => {
    const { product = null, licenseKey = null, licenseId = null, userId, apiKey } = question
    await refuseBroken(questionRules(question))
    const isMistyped = apiKey !== undefined && apiKeyFormat.hash(apiKey) === null
    const key = await findKey(platform, question)
    const caller = key && { tenantId: key.tenantId, keyProducts: key.products }
    return [
      ...keyChecks(key, { product, isMistyped, now: clock.now() }),
      ...(await checkUser(platform, key, { userId, product })),
      ...(await inspectLicense(platform, { licenseKey, licenseId, product, caller })),
    ]
  }
}

export function questionRules(question: Fitting<AccessQuestion>): FieldRule[] {
  return [
    () => {
      if ('licenseKey' in question && 'licenseId' in question)
        throw invalidField('/body/licenseId', { code: 'conflict', message: 'cannot be combined with `licenseKey`' })
    },
    () => {
      if ('apiKey' in question === 'keyId' in question)
        throw invalidField('/body/keyId', {
          code: 'required',
          message: 'is required, or `apiKey`; send exactly one of them',
        })
    },
  ]
}

async function findKey(platform: PlatformScope, { apiKey, keyId }: AccessQuestion): Promise<CheckedKey | null> {
  const keyHash = apiKey === undefined ? null : apiKeyFormat.hash(apiKey)
  const isPossible = keyHash !== null || (keyId !== undefined && isId(keyId))
  return isPossible ? findAnyKey(platform, { keyId: keyId ?? null, keyHash }) : null
}

async function checkUser(
  platform: PlatformScope,
  key: CheckedKey | null,
  { userId, product }: { userId: string | undefined; product: string | null },
): Promise<AccessCheck[]> {
  if (userId === undefined) return noUserChecks('no user was given.')
  if (key === null) return noUserChecks('the key is not known.')
  const user = isId(userId) ? await findCheckedUser(scopeToTenant(platform, key.tenantId), userId) : null
  return userChecks(user, product)
}
