import type { InspectLicense } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { findLicenseInAnyTenant, type LicenseRef } from '../licenses/license.store.ts'
import { parseLicenseKey } from '../licenses/license-key.rules.ts'
import { licenseChecks, noLicenseChecks, unknownLicenseChecks } from './inspection.rules.ts'

/** Checks a license for an administrator. Takes no use and does not update `lastValidatedAt`. */
export function inspectionService({ clock }: { clock: Clock }): InspectLicense {
  return async (platform, { licenseKey, licenseId, product, caller }) => {
    if (licenseKey === null && licenseId === null) return noLicenseChecks('no license was given.')
    const ref = licenseKey === null ? idRef(licenseId) : keyRef(licenseKey)
    if (typeof ref === 'string') return unknownLicenseChecks(ref)
    const license = await findLicenseInAnyTenant(platform, ref)
    if (license === null) return unknownLicenseChecks('id' in ref ? unknownId : 'No license has this key.')
    return licenseChecks({ license, product, caller, now: clock.now() })
  }
}

const unknownId = 'No license has this id.'

/** A text says why the license cannot exist. */
function idRef(id: string | null): LicenseRef | string {
  return id !== null && isId(id) ? { id } : unknownId
}

function keyRef(key: string): LicenseRef | string {
  const keyHash = parseLicenseKey(key)?.hash
  return keyHash ? { keyHash } : 'This is not a valid license key: a character is wrong or missing.'
}
