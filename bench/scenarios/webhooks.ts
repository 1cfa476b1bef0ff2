import { randomBytes } from 'node:crypto'
import type { Delivered, DeliveryJob } from '../deliver.ts'
import { newAmong, type Target } from '../deliveries.ts'
import { effectLatenciesMs, effectsStored, openReceivers, processed, type Receivers } from '../ground/inbound.ts'
import { delayDuring, startHeardService } from '../lateness.ts'
import type { LoopDelay } from '../loop-delay.ts'
import { difference, inRounds, type Measurement, type Rounds, type Subject } from '../measure.ts'
import { compare, type Figure, type Limit, processorUs, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import { memoryMb, processMeter } from '../processor-time.ts'
import { type Program, startProgram } from '../program.ts'
import { median, percentile } from '../statistics.ts'
import { startWorker, type Worker } from '../worker.ts'

const connections = 8
const pacedPerSecond = 50
const floor = 'floor: one HMAC, one insert'

type Provider = Worker<DeliveryJob, Delivered>
type Ground = (typeof grounds)[number]
type Opened = { ground: Ground; program: Program; receivers: Receivers }
type Sending = Pick<DeliveryJob, 'count' | 'perSecond' | 'targets'>
type Paced = Delivered & { effectsMs: number[]; late: LoopDelay }

const acknowledged = ({ title }: Ground) => `${title}: acknowledged`
const effects = ({ title }: Ground) => `${title}: effect stored`

export const webhooks: Scenario = {
  name: 'webhooks',
  about: `Deliveries of 2 kB that GitHub and Slack signed, 10 % of them copies and 2 % forged, to 8 connections of 4 tenants over ${connections} sockets: as fast as they are acknowledged, until each has had its effect; and ${pacedPerSecond} a second at moments that do not wait for answers.`,
  run: async (plan) => {
    const programs: Program[] = []
    const provider: Provider = startWorker(new URL('../deliver.ts', import.meta.url))
    try {
      const opened: Opened[] = []
      for (const ground of grounds) {
        const program = await startHeardService(await plan.empty(ground.kind))
        programs.push(program)
        opened.push({ ground, program, receivers: await openReceivers(program) })
      }
      const { seen, program } = await bursts(plan, { provider, opened })
      programs.push(program)
      const figures = grounds.flatMap((ground) => burstFigures(seen, ground))
      for (const service of opened) figures.push(...(await pacedFigures(plan, provider, service)))
      return { rows: tableRows(seen), figures }
    } finally {
      provider.stop()
      for (const program of programs) await program.stop()
    }
  },
}

async function bursts(plan: Plan, { provider, opened }: { provider: Provider; opened: Opened[] }) {
  const secret = randomBytes(16).toString('hex')
  const { url } = await plan.empty('postgres')
  const environment = { DATABASE_URL: url ?? '', SECRET: secret }
  const program = await startProgram({ args: ['bench/floors/deliveries.ts'], environment })
  const targets: Target[] = [{ path: '/', scheme: 'github', secret }]
  const stored: Rounds = new Map()
  const subjects: Subject[] = opened.map((service) => ({
    name: acknowledged(service.ground),
    measure: async () => {
      const { acknowledgement, effect } = await burst(plan, provider, service)
      const name = effects(service.ground)
      stored.set(name, [...(stored.get(name) ?? []), effect])
      return acknowledgement
    },
  }))
  const measure = () => measured(plan, { provider, program, targets, isServer: true })
  const seen = await inRounds(plan.rounds, [...subjects, { name: floor, measure }])
  // The round that `inRounds` has thrown away.
  for (const [name, measurements] of stored) seen.set(name, measurements.slice(1))
  return { seen, program }
}

/** Long enough for a rate, short enough for the embedded database. */
function burstSize({ measuredMs }: Plan): number {
  return measuredMs >= 3000 ? 1_000 : 300
}

type Measuring = {
  provider: Provider
  program: Program
  targets: Target[]
  isServer: boolean
  /** What is waited for after the last answer, in the same processor time. */
  until?: (begunAt: number) => Promise<void>
}

async function measured(plan: Plan, { provider, program, targets, isServer, until }: Measuring): Promise<Measurement> {
  const own = difference(processMeter(program.pid))
  const behind = difference(isServer ? plan.databaseMeter : () => null)
  let begunAt = 0
  const read = (moment: 'begun' | 'ended') => {
    own.read(moment)
    behind.read(moment)
  }
  const sending = { targets, count: burstSize(plan), perSecond: null }
  const result = await send(provider, program, sending, (moment) => {
    if (moment === 'begun') begunAt = performance.now()
    // Where more than the answer is waited for, that is over later.
    if (moment === 'begun' || until === undefined) read(moment)
  })
  await until?.(begunAt)
  if (until !== undefined) read('ended')
  const { calls, perSecond, p50Ms, p99Ms, headBytes, bodyBytes } = result
  const times = { serverUs: own.each(calls), databaseUs: behind.each(calls), memoryMb: memoryMb(program.pid) }
  return { calls, perSecond, p50Ms, p99Ms, ...times, headBytes, bodyBytes }
}

function send(provider: Provider, { host, port }: Program, sending: Sending, notice = (_: 'begun' | 'ended') => {}) {
  return provider.do({ host, port, ...sending, connections, name: randomBytes(8).toString('hex') }, notice)
}

/** Processor time is that of a whole delivery, effect and all: the service works on both at once. */
async function burst(plan: Plan, provider: Provider, { ground, program, receivers }: Opened) {
  const before = await processed(program, receivers)
  const from = new Date()
  let seconds = 0
  const whole = await measured(plan, {
    provider,
    program,
    targets: receivers.targets,
    isServer: ground.kind === 'postgres',
    until: async (begunAt) => {
      await effectsStored(program, receivers)
      seconds = (performance.now() - begunAt) / 1000
    },
  })
  const made = (await processed(program, receivers)) - before
  const wanted = newAmong(whole.calls)
  if (made !== wanted) throw new Error(`${made} deliveries had an effect and not ${wanted}.`)
  const latenciesMs = await effectLatenciesMs(program, receivers, from)
  const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
  const effect = { ...whole, perSecond: made / seconds, p50Ms, p99Ms, headBytes: 0, bodyBytes: 0 }
  return { acknowledgement: { ...whole, serverUs: null, databaseUs: null }, effect }
}

function burstFigures(seen: Rounds, ground: Ground): Figure[] {
  const { title } = ground
  return [
    compare(seen, { what: `${title}: acknowledged / floor`, of: acknowledged(ground), by: floor }),
    compare(seen, { what: `${title}: effects stored / floor`, of: effects(ground), by: floor }),
    compare(seen, {
      what: `${title}: CPU of a delivery with its effect / floor`,
      of: effects(ground),
      by: floor,
      read: processorUs,
    }),
  ]
}

async function pacedFigures(plan: Plan, provider: Provider, service: Opened): Promise<Figure[]> {
  const rounds: Paced[] = []
  for (let round = 0; round < plan.rounds; round++) rounds.push(await paced(plan, provider, service))
  const figure = (what: string, read: (round: Paced) => number, limit: Limit | null = null): Figure => {
    const values = rounds.map(read)
    const text = `${service.ground.title}, ${pacedPerSecond} a second: ${what}`
    return { what: text, value: median(values), unit: 'ms', rounds: values, limit }
  }
  return [
    figure('acknowledged, p50', ({ p50Ms }) => p50Ms),
    figure('acknowledged, p99', ({ p99Ms }) => p99Ms, { atMost: 500 }),
    figure('acknowledged, at most', ({ maxMs }) => maxMs),
    figure('effect stored, p50', ({ effectsMs }) => percentile(effectsMs, 0.5)),
    figure('effect stored, p99', ({ effectsMs }) => percentile(effectsMs, 0.99)),
    figure('event loop late by, p99', ({ late }) => late.p99Ms),
    figure('event loop late by, at most', ({ late }) => late.maxMs),
  ]
}

async function paced(plan: Plan, provider: Provider, { program, receivers }: Opened): Promise<Paced> {
  const from = new Date()
  const count = (pacedPerSecond * plan.measuredMs * 3) / 1000
  let result: Delivered | null = null
  const late = await delayDuring(program, async () => {
    result = await send(provider, program, { targets: receivers.targets, count, perSecond: pacedPerSecond })
    await effectsStored(program, receivers)
  })
  const effectsMs = await effectLatenciesMs(program, receivers, from)
  return { ...(result as unknown as Delivered), effectsMs, late }
}
