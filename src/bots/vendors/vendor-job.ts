import type { JobKind } from '../../jobs/jobs.ts'

export type VendorLook = { runId: string }

/** One look at a vendor's bot. One that was killed is done again at once. The name is stored with the jobs. */
export const vendorLookJob: JobKind<VendorLook> = {
  name: 'bots.vendors.look',
  attemptsMax: 2,
  backoffSeconds: 5,
  timeoutSeconds: 120,
  order: 'key',
}
