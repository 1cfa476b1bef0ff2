import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Customer } from '../../harness/customer.ts'
import type { Probed, ProbeTarget } from './probe.thread.ts'

export type Probe = {
  /** What was seen since the last call. */
  report(): Promise<Probed>
  stop(): Promise<void>
}

/** Asks `GET /health/live` every 10 ms, and as an honest caller from another address (127.0.0.2) every 50 ms. */
export function startProbe(target: ProbeTarget): Probe {
  const worker = new Worker(new URL('./probe.thread.ts', import.meta.url), { workerData: target })
  return {
    report: async () => {
      const reported = once(worker, 'message')
      worker.postMessage('report')
      const [probed] = await reported
      return probed as Probed
    },
    stop: async () => void (await worker.terminate()),
  }
}

/** What an honest caller asks again and again. */
export function honestRequest({ headers, licenseKey }: Customer): ProbeTarget['honest'] {
  const body = JSON.stringify({ licenseKey })
  return { headers: { ...headers, 'content-type': 'application/json', 'content-length': String(body.length) }, body }
}
