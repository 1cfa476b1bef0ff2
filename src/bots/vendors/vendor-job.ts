import type { JobKind } from '../../jobs/jobs.ts'

export type VendorPoll = { runId: string }

/** Asks a vendor about a bot once. If its process is killed, it is done again at once. The name is stored with the jobs. */
export const vendorPollJob: JobKind<VendorPoll> = {
  name: 'bots.vendors.look',
  attemptsMax: 2,
  backoffSeconds: 5,
  timeoutSeconds: 120,
  order: 'key',
}
