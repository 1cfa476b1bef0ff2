import { setTimeout as delay } from 'node:timers/promises'
import { type Receiver, receiver } from '../../test/harness/receiver.ts'
import { ask } from '../ground/ask.ts'
import { loginOwner } from '../ground/meetings.ts'
import { seed } from '../ground/seed.ts'
import { adminKey, startService } from '../ground/service.ts'
import { difference, inRounds, type Measurement, measureLoad, type Rounds, type Subject } from '../measure.ts'
import { type Figure, processorUs, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import { memoryMb, processMeter } from '../processor-time.ts'
import type { Program } from '../program.ts'
import { median, percentile } from '../statistics.ts'

const connections = 8
const endpoints = 2
const pollMs = 5

type Ground = (typeof grounds)[number]
type Opened = {
  ground: Ground
  program: Program
  headers: Record<string, string>
  heard: Receiver
  subscribe(): Promise<void>
}

const silent = ({ title }: Ground) => `${title}: meetings made, nobody is told`
const told = ({ title }: Ground) => `${title}: deliveries of it`

/** Meetings are made, which is the cheapest thing that a tenant is told of. The receiver is here, and answers at once. */
export const webhooksOut: Scenario = {
  name: 'webhooks-out',
  about: `A burst of meetings made over ${connections} connections, by a tenant without endpoints and by one with ${endpoints}, until the receiver has heard of each at both.`,
  run: async (plan) => {
    const services: Opened[] = []
    try {
      for (const ground of grounds) services.push(await open(plan, ground))
      const seen = await inRounds(
        plan.rounds,
        services.map((service): Subject => ({ name: silent(service.ground), measure: () => making(plan, service) })),
      )
      for (const { subscribe } of services) await subscribe()
      const subjects = services.map(
        (service): Subject => ({
          name: told(service.ground),
          measure: () => telling(plan, service),
        }),
      )
      for (const [name, rounds] of await inRounds(plan.rounds, subjects)) seen.set(name, rounds)
      return { rows: tableRows(seen), figures: grounds.map((ground) => addedFigure(seen, ground)) }
    } finally {
      for (const { program, heard } of services) {
        await program.stop()
        await heard.close()
      }
    }
  },
}

async function open(plan: Plan, ground: Ground): Promise<Opened> {
  const seeded = await seed(await plan.empty(ground.kind), 1)
  const program = await startService(seeded.ground, { WEBHOOK_ALLOW_PRIVATE: 'true' })
  const heard = await receiver()
  const subscribe = async () => {
    const body = { url: heard.url, eventTypes: ['meeting.created'] }
    const path = `/admin/tenants/${seeded.tenantId}/webhooks/endpoints`
    for (let made = 0; made < endpoints; made++)
      await ask(program, { path, headers: { 'x-admin-key': adminKey }, body })
  }
  return { ground, program, heard, subscribe, headers: await loginOwner(program, seeded) }
}

function eventCount({ measuredMs }: Plan): number {
  return measuredMs >= 3000 ? 300 : 100
}

function making(plan: Plan, { ground, program, headers }: Opened): Promise<Measurement> {
  const body = { title: 'Weekly planning' }
  const request = { method: 'POST' as const, path: '/assistant/v1/meetings', headers, body }
  const requests = Array.from({ length: eventCount(plan) }, () => request)
  const span = { kind: 'once', calls: requests.length } as const
  const database = ground.kind === 'postgres' ? { database: plan.databaseMeter } : {}
  return measureLoad(plan.load, { program, requests, connections, span, status: 201, ...database })
}

/** Counted are deliveries; their latency is from the event, as its body says, to its arrival. */
async function telling(plan: Plan, service: Opened): Promise<Measurement> {
  const { ground, program, heard } = service
  const own = difference(processMeter(program.pid))
  const behind = difference(ground.kind === 'postgres' ? plan.databaseMeter : () => null)
  const wanted = eventCount(plan) * endpoints
  heard.heard.length = 0
  const latenciesMs: number[] = []
  heard.answer((_, response) => {
    const { timestamp } = JSON.parse(heard.heard.at(-1)?.body ?? '') as { timestamp: string }
    latenciesMs.push(Date.now() - Date.parse(timestamp))
    response.writeHead(204).end()
  })
  own.read('begun')
  behind.read('begun')
  const begunAt = performance.now()
  await making(plan, service)
  while (latenciesMs.length < wanted) await delay(pollMs)
  const seconds = (performance.now() - begunAt) / 1000
  own.read('ended')
  behind.read('ended')
  if (latenciesMs.length > wanted) throw new Error(`${latenciesMs.length} deliveries came and not ${wanted}.`)
  const [serverUs, databaseUs] = [own.each(wanted), behind.each(wanted)]
  const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
  const sizes = { memoryMb: memoryMb(program.pid), headBytes: 0, bodyBytes: 0 }
  return { calls: wanted, perSecond: wanted / seconds, p50Ms, p99Ms, serverUs, databaseUs, ...sizes }
}

/** Of all that a meeting with its deliveries takes, the part that is not the making of the meeting, for one delivery. */
function addedFigure(seen: Rounds, ground: Ground): Figure {
  const times = (name: string) => (seen.get(name) ?? []).map(processorUs)
  const alone = times(silent(ground))
  const rounds = times(told(ground)).map((time, at) => time - (alone[at] as number) / endpoints)
  const what = `${ground.title}: CPU that a delivery adds to its event`
  return { what, value: median(rounds), unit: 'us', rounds, limit: null }
}
