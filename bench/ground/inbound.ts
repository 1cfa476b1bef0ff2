import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from '../deliveries.ts'
import type { Program } from '../program.ts'
import { ask } from './ask.ts'
import { adminKey } from './service.ts'
import { makeTenant } from './tenants.ts'

const admin = { 'x-admin-key': adminKey }
const tenants = 4
const pollMs = 50
const pageSize = 100
const channels = { github: 'issue-tracker', slack: 'chat' } as const

/** Tenants with a connection of GitHub and one of Slack each. */
export type Receivers = { logs: string[]; targets: Target[] }

export async function openReceivers(program: Program): Promise<Receivers> {
  const logs: string[] = []
  const targets: Target[] = []
  for (let n = 0; n < tenants; n++) {
    const base = `/admin/tenants/${await makeTenant(program, `bench-${n}`)}/webhooks`
    logs.push(`${base}/deliveries`)
    for (const scheme of ['github', 'slack'] as const) {
      const secret = randomBytes(16).toString('hex')
      const body = { scheme, name: scheme, secret }
      const { connection } = (await ask(program, { path: `${base}/connections`, headers: admin, body })) as {
        connection: { id: string }
      }
      targets.push({ path: `/assistant/v1/webhooks/inbound/${channels[scheme]}/${connection.id}`, scheme, secret })
    }
  }
  return { logs, targets }
}

type Page = { deliveries: { id: string }[]; pagination: { total: number } }

/** Resolves when nothing waits any more; throws when so many are not processed then. One small question at a time: who looks takes processor time, too. */
export async function effectsStored(program: Program, { logs }: Receivers): Promise<void> {
  for (const log of logs) {
    for (const status of ['received', 'retrying']) {
      while ((await fetchPage(program, `${log}?status=${status}&limit=1`)).pagination.total > 0) await delay(pollMs)
    }
  }
}

/** How many have had their effect. */
export async function processed(program: Program, { logs }: Receivers): Promise<number> {
  let total = 0
  for (const log of logs) total += (await fetchPage(program, `${log}?status=processed&limit=1`)).pagination.total
  return total
}

/** From the arrival to the effect, in the transaction of which the second moment is written; of those since `from`. */
export async function effectLatenciesMs(program: Program, { logs }: Receivers, from: Date): Promise<number[]> {
  const latenciesMs: number[] = []
  for (const log of logs) {
    for (let page = 1; ; page++) {
      const query = `status=processed&from=${from.toISOString()}&limit=${pageSize}&page=${page}`
      const { deliveries } = await fetchPage(program, `${log}?${query}`)
      for (const { id } of deliveries) latenciesMs.push(await effectLatencyMs(program, `${log}/${id}`))
      if (deliveries.length < pageSize) break
    }
  }
  return latenciesMs
}

async function effectLatencyMs(program: Program, path: string): Promise<number> {
  const { delivery } = (await ask(program, { path, headers: admin })) as {
    delivery: { timeline: { at: string; event: string }[] }
  }
  const at = (event: string) => Date.parse(delivery.timeline.find((entry) => entry.event === event)?.at ?? '')
  return at('processed') - at('received')
}

async function fetchPage(program: Program, path: string): Promise<Page> {
  return (await ask(program, { path, headers: admin })) as Page
}
