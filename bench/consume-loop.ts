// Takes uses below HTTP: callers in this process, by the service's own code or by a plain update over a pool of 8.
import { hash } from 'node:crypto'
import pg from 'pg'
import { closedLoop, type Notice, type Span, type Tally } from './closed-loop.ts'
import { type Consumption, openConsumption } from './consumption.ts'
import { plainUse } from './floors/plain-use.ts'
import { serveJobs } from './worker.ts'

export type LoopJob = {
  by: 'service' | 'plain update'
  url: string
  tenantId: string
  product: string
  keys: string[]
  callers: number
  span: Span
}

const open = new Map<string, Consumption>()

serveJobs<LoopJob, Tally>(async ({ keys, callers, span, ...job }, notice: Notice) => {
  const { consume } = await sharedConsumption(job)
  const stride = keys.length / callers
  const { latenciesMs: _, ...tally } = await closedLoop({ callers, span, notice }, async (caller, call) => {
    const key = keys[(Math.floor(caller * stride) + call) % keys.length] as string
    if (!(await consume(key))) throw new Error('A license of the bench has run out.')
  })
  return tally
})

/** Opened at the first job and kept: a window measures no connecting. */
async function sharedConsumption(job: Pick<LoopJob, 'by' | 'url' | 'tenantId' | 'product'>): Promise<Consumption> {
  const name = `${job.by} ${job.url}`
  const made = open.get(name) ?? (job.by === 'service' ? await openConsumption(job) : plainConsumption(job))
  open.set(name, made)
  return made
}

function plainConsumption({ url, tenantId }: { url: string; tenantId: string }): Consumption {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  return {
    consume: async (licenseKey) => {
      const licenseKeyHash = Buffer.from(hash('sha256', licenseKey), 'hex')
      return (await plainUse(pool, { tenantId, licenseKeyHash })) !== null
    },
    close: () => pool.end(),
  }
}
