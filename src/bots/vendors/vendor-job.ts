import type { JobKind } from '../../jobs/jobs.ts'

export type VendorLook = { runId: string }

/** One look at a vendor's bot. It is not repeated by itself: the next look comes soon. The name is stored with the jobs. */
export const vendorLookJob: JobKind<VendorLook> = {
  name: 'bots.vendors.look',
  attemptsMax: 1,
  backoffSeconds: 5,
  timeoutSeconds: 120,
  order: 'key',
}
