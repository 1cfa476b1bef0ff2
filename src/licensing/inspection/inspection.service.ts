import type { InspectLicense } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { findLicenseInAnyTenant } from '../licenses/license.store.ts'
import { parseLicenseKey } from '../licenses/license-key.rules.ts'
import { licenseChecks, noLicenseChecks, unknownLicenseChecks } from './inspection.rules.ts'

/** Checks a license for an administrator. Takes no use and does not update `lastValidatedAt`. */
export function inspectionService({ clock }: { clock: Clock }): InspectLicense {
  return async (platform, { licenseKey, product, caller }) => {
    if (licenseKey === null) return noLicenseChecks('no license was given.')
    const keyHash = parseLicenseKey(licenseKey)?.hash ?? null
    if (keyHash === null)
      return unknownLicenseChecks('This is not a valid license key: a character is wrong or missing.')
    const license = await findLicenseInAnyTenant(platform, keyHash)
    if (license === null) return unknownLicenseChecks('No license has this key.')
    return licenseChecks({ license, product, caller, now: clock.now() })
  }
}
