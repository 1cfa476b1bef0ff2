import { startService } from '../ground/service.ts'
import { inRounds, measureLoad, type Rounds, type Subject } from '../measure.ts'
import { type Figure, type Limit, tableRows } from '../outcome.ts'
import type { Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'
import { median } from '../statistics.ts'

const connections = 32

const [node, bare, whole, live] = [
  'bare node:http',
  'the framework alone',
  'our server around the same route',
  'service, /health/live',
]

/** What bare node:http took a request where the limit was set. On a machine of half that speed all takes twice as long. */
const nodeUsThen = 14.3

/** Processor time is compared here, not throughput: it is what a hook takes, however busy the machine is. */
export const hooks: Scenario = {
  name: 'hooks',
  about: `What the service does to every request, over a route that answers a constant, ${connections} connections.`,
  run: async (plan) => {
    const { rounds, load, warmUpMs, measuredMs } = plan
    const programs: Program[] = []
    const key = { 'x-api-key': '00000000-0000-7000-8000-000000000001' }
    const createSubject = async (name: string, path: string, starting: Promise<Program>): Promise<Subject> => {
      const program = await starting
      programs.push(program)
      const requests = [{ method: 'GET' as const, path, headers: key }]
      const span = { kind: 'window', warmUpMs, measuredMs } as const
      return { name, measure: () => measureLoad(load, { program, requests, connections, span, status: 200 }) }
    }
    const route = (kind: string) => startProgram({ args: ['bench/floors/bare-route.ts', kind], environment: {} })
    try {
      const seen = await inRounds(rounds, [
        await createSubject(node, '/constant', route('node')),
        await createSubject(bare, '/constant', route('bare')),
        await createSubject(whole, '/constant', route('whole')),
        await createSubject(live, '/health/live', startService(await plan.empty('postgres'))),
      ])
      const figures = [
        added(seen, {
          what: `added to a route with a key and its limits, where node:http takes ${nodeUsThen} us`,
          by: whole,
          isScaled: true,
          limit: { atMost: 15 },
        }),
        added(seen, { what: 'the same, as it took', by: whole }),
        added(seen, { what: 'added to /health/live, which is not counted, as it took', by: live }),
      ]
      return { rows: tableRows(seen), figures }
    } finally {
      for (const program of programs) await program.stop()
    }
  },
}

type Addition = { what: string; by: string; isScaled?: boolean; limit?: Limit }

/** Processor time a request more than the framework alone, round by round. */
function added(seen: Rounds, { what, by, isScaled = false, limit }: Addition): Figure {
  const times = (name: string) => (seen.get(name) ?? []).map(({ serverUs }) => serverUs ?? Number.NaN)
  const [floor, ground] = [times(bare), times(node)]
  const rounds = times(by).map((time, at) => {
    const us = time - (floor[at] as number)
    return isScaled ? (us * nodeUsThen) / (ground[at] as number) : us
  })
  return { what, value: median(rounds), unit: 'us', rounds, limit: limit ?? null }
}
