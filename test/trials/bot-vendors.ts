import { vendorNames } from '../emulators/emulator.ts'
import { vendorChaos } from '../harness/vendor-chaos.ts'
import { vendorTest } from '../harness/vendors.ts'
import type { Row } from './row.ts'

/** Meetings at vendors that lose, double and disorder their webhooks, and fail. One row for each vendor, and for each that is broken. */
export async function botVendors(rounds: number): Promise<Row[]> {
  const at = await vendorTest()
  const rows: Row[] = []
  for (const vendor of vendorNames) {
    const total = { vendor, meetings: 0, webhooks: 0, seconds: 0, entries: 0, broken: '' }
    for (let seed = 1; seed <= rounds; seed++) {
      // A meeting lasts longer than an access token.
      const { user } = await at.admin()
      await at.setUp(user, vendor)
      const row = await vendorChaos(at, user, vendor, seed)
      total.meetings += 1
      total.webhooks += row.webhooks
      total.seconds += row.seconds
      total.entries += row.entries
      if (row.broken !== '') rows.push({ ...row })
    }
    rows.push(total)
  }
  await at.close()
  return rows
}
