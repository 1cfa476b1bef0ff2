import type { Tally } from '../closed-loop.ts'
import type { LoopJob } from '../consume-loop.ts'
import { product, type Seeded } from '../ground/seed.ts'
import { startService } from '../ground/service.ts'
import { difference, inRounds, measureLoad, type Rounds, type Subject } from '../measure.ts'
import { compare, type Figure, type Limit, tableRows } from '../outcome.ts'
import type { Plan, Scenario } from '../plan.ts'
import { memoryMb, processMeter } from '../processor-time.ts'
import { type Program, startProgram } from '../program.ts'
import { startWorker, type Worker } from '../worker.ts'
import { questions } from './validate.ts'

const callers = 64
/** Enough that two callers seldom meet on one. */
const spread = 10_000

type Loop = Worker<LoopJob, Tally>
/** Which of the hot licenses is whose: nobody waits for another's lock, nor for the dead rows another leaves. */
const hotLicenseIndex = { service: 0, floor: 1, loop: 2, plain: 3, embedded: 4 }

export const consumeOne: Scenario = consuming({
  name: 'consume-one',
  about: `Take uses of one license, ${callers} callers at once.`,
  limit: { atLeast: 10 },
  keysOf: ({ hotKeys }, who) => [hotKeys[hotLicenseIndex[who]] as string],
})

export const consumeMany: Scenario = consuming({
  name: 'consume-many',
  about: `Take uses of ${spread} licenses, ${callers} callers at once.`,
  limit: { atLeast: 2 },
  keysOf: ({ keys }) => keys,
})

type Kind = Pick<Scenario, 'name' | 'about'> & {
  limit: Limit
  keysOf(seeded: Seeded, who: keyof typeof hotLicenseIndex): string[]
}

function consuming({ name, about, limit, keysOf }: Kind): Scenario {
  return {
    name,
    about,
    run: async (plan) => {
      const [server, embedded] = [await plan.seeded('postgres', spread), await plan.seeded('embedded', spread)]
      const programs: Program[] = []
      const loops: Loop[] = []
      const begun = async (program: Promise<Program>) => {
        programs.push(await program)
        return program
      }
      const loop = () => {
        loops.push(startWorker(new URL('../consume-loop.ts', import.meta.url)))
        return loops.at(-1) as Loop
      }
      const environment = { DATABASE_URL: server.ground.url ?? '' }
      try {
        const service = await begun(startService(server.ground))
        const floor = await begun(startProgram({ args: ['bench/floors/consume.ts'], environment }))
        const inside = await begun(startService(embedded.ground))
        const subjects = [
          looping(plan, {
            name: 'service, below HTTP',
            loop: loop(),
            by: 'service',
            seeded: server,
            keys: keysOf(server, 'loop'),
          }),
          looping(plan, {
            name: 'plain update, below HTTP',
            loop: loop(),
            by: 'plain update',
            seeded: server,
            keys: keysOf(server, 'plain'),
          }),
          asking(plan, {
            name: 'service, PostgreSQL',
            program: service,
            seeded: server,
            keys: keysOf(server, 'service'),
          }),
          asking(plan, {
            name: 'floor: plain update over HTTP',
            program: floor,
            seeded: server,
            keys: keysOf(server, 'floor'),
          }),
          asking(plan, {
            name: 'service, embedded',
            program: inside,
            seeded: embedded,
            keys: keysOf(embedded, 'embedded'),
          }),
        ]
        const seen = await inRounds(plan.rounds, subjects)
        return { rows: tableRows(seen), figures: toFigures(seen, limit) }
      } finally {
        for (const each of loops) each.stop()
        for (const program of programs) await program.stop()
      }
    },
  }
}

type Asking = { name: string; program: Program; seeded: Seeded; keys: string[] }

function asking(plan: Plan, { name, program, seeded, keys }: Asking): Subject {
  const { load, warmUpMs, measuredMs, databaseMeter: database } = plan
  const requests = questions({ apiKey: seeded.apiKey, keys }, { consume: true })
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  const isServer = seeded.ground.kind === 'postgres'
  const job = { program, requests, connections: callers, span, status: 200, ...(isServer ? { database } : {}) }
  return { name, measure: () => measureLoad(load, job) }
}

type Looping = { name: string; loop: Loop; by: LoopJob['by']; seeded: Seeded; keys: string[] }

function looping(plan: Plan, { name, loop, by, seeded, keys }: Looping): Subject {
  const { tenantId, ground } = seeded
  const span = { kind: 'window', warmUpMs: plan.warmUpMs, measuredMs: plan.measuredMs } as const
  const job: LoopJob = { by, url: ground.url ?? '', tenantId, product, keys, callers, span }
  return {
    name,
    measure: async () => {
      const own = difference(processMeter(loop.pid))
      const behind = difference(plan.databaseMeter)
      const { calls, perSecond, p50Ms, p99Ms } = await loop.do(job, (moment) => {
        own.read(moment)
        behind.read(moment)
      })
      const [serverUs, databaseUs] = [own.each(calls), behind.each(calls)]
      const sizes = { memoryMb: memoryMb(loop.pid), headBytes: 0, bodyBytes: 0 }
      return { calls, perSecond, p50Ms, p99Ms, serverUs, databaseUs, ...sizes }
    },
  }
}

function toFigures(seen: Rounds, limit: Limit): Figure[] {
  const overHttp = 'floor: plain update over HTTP'
  return [
    // Where the limit comes from: over HTTP both sides pay for the same requests, which hides what is asked here.
    compare(seen, {
      what: 'service / plain update, both below HTTP',
      of: 'service, below HTTP',
      by: 'plain update, below HTTP',
      limit,
    }),
    compare(seen, { what: 'service / plain update, both over HTTP', of: 'service, PostgreSQL', by: overHttp }),
    compare(seen, { what: 'embedded / plain update, both over HTTP', of: 'service, embedded', by: overHttp }),
  ]
}
