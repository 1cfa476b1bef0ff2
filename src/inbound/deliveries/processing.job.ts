import type { JobKind } from '../../jobs/jobs.ts'

export type ProcessingData = { deliveryId: string; run: number }

/** Waits of 20 to 40 s, doubling: what the fifth wait ends with is tried about a quarter of an hour after the first. */
export const processingJob: JobKind<ProcessingData> = {
  name: 'assistant.webhooks.process',
  attemptsMax: 6,
  backoffSeconds: 20,
  timeoutSeconds: 60,
  order: 'key',
}
