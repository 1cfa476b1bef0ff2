import type { JobKind } from '../../jobs/jobs.ts'

export type ProcessingData = { deliveryId: string; run: number }

/** Waits of 20 to 40 s that double: the last attempt is about a quarter of an hour after the first. The name is stored with the jobs. */
export const processingJob: JobKind<ProcessingData> = {
  name: 'assistant.webhooks.process',
  attemptsMax: 6,
  backoffSeconds: 20,
  timeoutSeconds: 60,
  order: 'key',
}
