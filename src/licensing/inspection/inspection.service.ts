import type { InspectLicense } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { findLicenseInAnyTenant } from '../licenses/license.store.ts'
import { parseLicenseKey } from '../licenses/license-key.rules.ts'
import { licenseChecks, noLicenseChecks, unknownLicenseChecks } from './inspection.rules.ts'

/** What is right and wrong with a license, for an administrator; takes no use and leaves no stamp. */
export function inspectionService({ clock }: { clock: Clock }): InspectLicense {
  return async (platform, { licenseKey, product, caller }) => {
    if (licenseKey === null) return noLicenseChecks('no license was asked about.')
    const keyHash = parseLicenseKey(licenseKey)?.hash ?? null
    if (keyHash === null)
      return unknownLicenseChecks('No license key looks like this: a character is wrong or missing.')
    const license = await findLicenseInAnyTenant(platform, keyHash)
    if (license === null) return unknownLicenseChecks('There is no such license.')
    return licenseChecks({ license, product, caller, now: clock.now() })
  }
}
