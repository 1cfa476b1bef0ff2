import type { InspectLicense } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { findLicenseAnywhere } from '../licenses/license.store.ts'
import { readLicenseKey } from '../licenses/license-key.rules.ts'
import { licenseChecksOf, noLicenseChecks, unknownLicenseChecks } from './inspection.rules.ts'

/** What is right and wrong with a license, for an administrator; takes no use and leaves no stamp. */
export function inspectionService({ clock }: { clock: Clock }): InspectLicense {
  return async (platform, { licenseKey, product, caller }) => {
    if (licenseKey === null) return noLicenseChecks('no license was asked about.')
    const keyHash = readLicenseKey(licenseKey)?.hash ?? null
    if (keyHash === null)
      return unknownLicenseChecks('No license key looks like this: a character is wrong or missing.')
    const license = await findLicenseAnywhere(platform, keyHash)
    if (license === null) return unknownLicenseChecks('There is no such license.')
    return licenseChecksOf({ license, product, caller, now: clock.now() })
  }
}
